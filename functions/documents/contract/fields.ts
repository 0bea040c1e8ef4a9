import * as z from 'zod';
import { hasInvisibleCharacters } from '../../../shared/files/safe-name.ts';
import { parseCnpj } from '../../../shared/taxpayer/cnpj.ts';
import { parseCpf } from '../../../shared/taxpayer/cpf.ts';
import { AGENT, OWNER, PARTICIPANT, PERSON } from './examples.ts';

const MAX_NAME = 200;
const MAX_TEXT = 2_000;

const CONTROL = /\p{Cc}/u;
// A text may have line breaks and tabs.
const CONTROL_IN_TEXT = /(?![\t\n\r])\p{Cc}/u;

/** A name or another text of one line, not empty after trimming. */
export const line = (maxLength = MAX_NAME) =>
  z
    .string()
    .trim()
    .min(1)
    .max(maxLength)
    .refine((value) => !CONTROL.test(value), 'has a line break or another control character in it')
    .refine(
      (value) => !hasInvisibleCharacters(value),
      'has a character in it that is not seen, or turns the reading direction',
    );

/** Text of one or several lines. */
export const text = (maxLength = MAX_TEXT) =>
  z
    .string()
    .trim()
    .max(maxLength)
    .refine((value) => !CONTROL_IN_TEXT.test(value), 'has a control character in it');

/** An optional field: absent, null and empty are all null. Client languages differ in which of them they send. */
export const orNull = <S extends z.ZodType>(shape: S) =>
  z
    .union([shape, z.literal('').transform(() => null), z.null()])
    .optional()
    .transform((value) => value ?? null);

export const Cpf = z
  .string()
  .transform((value, context) => {
    const cpf = parseCpf(value.trim());
    if (cpf) return cpf as string;
    context.addIssue({ code: 'custom', message: 'is not a CPF' });
    return z.NEVER;
  })
  .meta({ description: 'CPF, with or without punctuation.', examples: ['52998224725'] });

export const Cnpj = z
  .string()
  .transform((value, context) => {
    const cnpj = parseCnpj(value.trim());
    if (cnpj) return cnpj as string;
    context.addIssue({ code: 'custom', message: 'is not a CNPJ' });
    return z.NEVER;
  })
  .meta({
    description: 'CNPJ, with letters or without, with or without punctuation.',
    examples: ['11222333000181'],
  });

export const Participant = z
  .object({
    id: orNull(line()),
    name: line(),
    identifier: orNull(Cpf),
    email: orNull(z.email().max(254)),
    emailAddress: orNull(z.email().max(254)),
    phone: orNull(line(40)),
  })
  .meta({
    description: 'Who acts. With an identifier, only a certificate of this CPF signs.',
    examples: [PARTICIPANT],
  });

export const PersonModel = z
  .object({
    id: z.string(),
    name: z.string(),
    identifier: z.string().nullable(),
    email: z.string().nullable().describe('The same as `emailAddress`.'),
    emailAddress: z.string().nullable(),
    phone: z.string().nullable(),
  })
  .meta({ description: 'A participant of a flow.', examples: [PERSON] });

export const AuthorModel = z
  .object({
    id: z.string(),
    name: z.string(),
    type: z.enum(['User', 'Application']),
  })
  .meta({ description: 'Who made a change: a person, or an application by its key.', examples: [AGENT] });

export const NamedModel = z
  .object({ id: z.string(), name: z.string() })
  .meta({ description: 'An id with its name.', examples: [OWNER] });

export { MediaType } from '../../../shared/http/request/media-type.ts';
