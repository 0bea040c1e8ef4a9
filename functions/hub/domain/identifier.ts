import { parseCnpj } from '../../../shared/taxpayer/cnpj.ts';
import { parseCpf } from '../../../shared/taxpayer/cpf.ts';
import { invalidField } from './invalid-field.ts';
import type { Identifier } from './providers/holds-certificate.ts';

export type { Identifier } from './providers/holds-certificate.ts';

/** In the order of the numbers that older clients send. */
export const IDENTIFIER_TYPES = ['CPF', 'CNPJ'] as const satisfies readonly Identifier['type'][];

const CPF_CHARACTERS = 11;
const BARE = /^[0-9A-Za-z]+$/; // a CNPJ may hold letters

/** As a request gives it. Without a type, more than eleven characters are a CNPJ. */
export function identifierGiven(text: string, given?: Identifier['type']): Identifier {
  if (!BARE.test(text))
    throw invalidField(
      'identifier',
      'must be a CPF or a CNPJ without punctuation, such as 52998224725 or 11222333000181',
    );
  const type = given ?? (text.length > CPF_CHARACTERS ? 'CNPJ' : 'CPF');
  const found = readAs(type, text);
  if (found) return found;
  const other = readAs(type === 'CPF' ? 'CNPJ' : 'CPF', text);
  const why = other
    ? `is a ${other.type}: send ${other.type} as identifierType`
    : `is not a ${type}: its length or its check digits are wrong`;
  throw invalidField('identifier', why);
}

function readAs(type: Identifier['type'], text: string): Identifier | undefined {
  const value = type === 'CPF' ? parseCpf(text) : parseCnpj(text);
  return value && { type, value };
}

const DAY_SECONDS = 86_400;

/** The longest that a provider may grant: what the national rules allow a person, and a company. */
export const longestLifetimeSeconds = (identifier: Identifier | undefined): number =>
  (identifier?.type === 'CPF' ? 7 : 30) * DAY_SECONDS;
