import * as z from 'zod';
import { AdminRefusal } from '../../../../shared/access/administration.ts';
import type { FieldProblem } from '../../../../shared/errors/errors.ts';
import { type Certificate, CertificateMalformed } from '../../../../shared/pki/certificate/certificate.ts';
import { readCertificates } from '../../../../shared/pki/certificates-in.ts';
import { duration } from '../../../../shared/settings/kinds.ts';
import { checkRecipient } from '../../../../shared/signing/encryption/enveloped.ts';
import { EncryptionRefused } from '../../../../shared/signing/encryption/errors.ts';
import { parseCnpj } from '../../../../shared/taxpayer/cnpj.ts';
import { parseCpf } from '../../../../shared/taxpayer/cpf.ts';
import { addressOf } from './approvers.ts';
import { FORMATS, METHODS, PROFILE_NAME, SIGNER_SETS, type StoredProfile } from './profile.ts';

const name = () =>
  z.string().regex(PROFILE_NAME, 'must have 1 to 40 lower-case letters, digits and inner dashes');
const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, `must be ${words.join(', ')}`);
const flag = () => z.boolean('must be true or false').optional();

const taxpayer = (parse: (text: string) => string | undefined, message: string) =>
  z.string().transform((text, context): string => {
    const parsed = parse(text);
    if (parsed) return parsed;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });
const cpf = () => taxpayer(parseCpf, 'is no CPF');
const cpfOrCnpj = () => taxpayer((text) => parseCpf(text) ?? parseCnpj(text), 'is no CPF or CNPJ');

const APPROVAL_WINDOW = duration(0, 'How long a job waits for approval.', { min: 1 });
const seconds = () =>
  z.union([z.int(), z.string()], 'must be seconds, hh:mm:ss or d.hh:mm:ss').transform((given, context) => {
    try {
      return APPROVAL_WINDOW.parse(String(given));
    } catch (error) {
      context.addIssue({ code: 'custom', message: (error as Error).message });
      return z.NEVER;
    }
  });

const MIN_SALT_BYTES = 16; // BSENC version 1

/** A password with its salt, or a certificate. A message never repeats a value: it may be a secret. */
const Encryption = z
  .strictObject({
    password: z.string().min(1, 'must not be empty').max(1000).optional(),
    salt: z
      .base64('must be base64')
      .refine((text) => Buffer.from(text, 'base64').length >= MIN_SALT_BYTES, {
        message: `must have at least ${MIN_SALT_BYTES} bytes in base64`,
      })
      .optional(),
    certificate: z.string().optional(),
  })
  .superRefine(({ password, salt, certificate }, context) => {
    const refuse = (field: string, message: string): void =>
      context.addIssue({ code: 'custom', path: [field], message });
    if (certificate === undefined) {
      if (password === undefined) refuse('password', 'is required, unless there is a certificate');
      if (salt === undefined) refuse('salt', 'is required with a password');
      return;
    }
    if (password !== undefined || salt !== undefined)
      refuse('certificate', 'cannot be given together with a password and salt');
    const why = whyNoRecipient(certificate);
    if (why) refuse('certificate', why);
  });

/** The certificate of a PEM text or of base64 DER. Throws CertificateMalformed. */
export function recipientOf(text: string): Certificate {
  const bytes = text.includes('-----BEGIN') ? Buffer.from(text, 'latin1') : Buffer.from(text, 'base64');
  const [certificate, ...others] = readCertificates(bytes);
  if (!certificate || others.length > 0) throw new CertificateMalformed('must be one certificate');
  return certificate;
}

function whyNoRecipient(text: string): string | undefined {
  try {
    checkRecipient(recipientOf(text));
    return undefined;
  } catch (error) {
    if (error instanceof EncryptionRefused) return error.message;
    if (error instanceof CertificateMalformed) return 'must be one certificate, in PEM or base64';
    throw error;
  }
}

const MAX_PEOPLE = 100;
// A decision that ends the wait of a job changes a list of each approver in one transaction, which takes 100 writes.
const MAX_APPROVERS = 50;
const NAMED_TWICE = { message: 'must name each person once' };
const isEachOnce = (names: readonly string[]): boolean => new Set(names).size === names.length;

// Names are shown to people who decide and are written into mail: no line breaks, no marks of direction.
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const personName = () =>
  z
    .string()
    .min(1)
    .max(200)
    .refine((name) => !HIDDEN.test(name), { message: 'must have no control or direction characters' });

const PERSON = { name: personName(), email: z.email().max(254), cpf: cpf() };

const Fields = z.strictObject({
  name: name(),
  enabled: flag(),
  default: flag(),
  method: oneOf(METHODS).optional(),
  format: oneOf(FORMATS).nullable().optional(),
  verify: flag(),
  validateCertificate: flag(),
  preserveFileExtension: flag(),
  saveAsPem: flag(),
  checkCnab240: flag(),
  checkCnab240PaymentDates: flag(),
  checkCnab240LotSums: flag(),
  timestamp: flag(),
  encryption: Encryption.nullable().optional(),
  inputFolder: name().nullable().optional(),
  approval: z
    .strictObject({
      quorum: z.int().min(1),
      approvers: z
        .array(z.strictObject(PERSON))
        .max(MAX_APPROVERS)
        .refine((people) => isEachOnce(people.map(({ cpf }) => cpf)), NAMED_TWICE)
        .refine((people) => isEachOnce(people.map(({ email }) => addressOf(email))), NAMED_TWICE),
      expiresAfter: seconds().optional(),
      signerSet: oneOf(SIGNER_SETS).optional(),
    })
    .refine(({ quorum, approvers }) => quorum <= approvers.length, {
      path: ['quorum'],
      message: 'must not exceed the number of approvers',
    })
    .nullable()
    .optional(),
  externalSigner: z
    .strictObject({
      signers: z
        .array(z.strictObject({ ...PERSON, step: z.int().min(1).max(1_000).default(1) }))
        .min(1)
        .max(MAX_PEOPLE)
        .refine((people) => isEachOnce(people.map(({ cpf }) => cpf)), NAMED_TWICE),
      folderId: z.guid().optional(),
      expiresAfterDays: z.int().min(1).max(3_650).optional(),
    })
    .nullable()
    .optional(),
  signerFolder: z.strictObject({ folderId: z.guid() }).nullable().optional(),
  cloudCertificate: z
    .strictObject({
      identifier: cpfOrCnpj(),
      provider: z.string().min(1).max(100).optional(),
      certificateAlias: z.string().min(1).max(200).optional(),
    })
    .nullable()
    .optional(),
});

/** Fields of a profile as an operator writes them. One that is left out stays as it is; null removes it. */
export type ProfileFields = z.output<typeof Fields>;

/**
 * Reads the fields of a profile. Throws AdminRefusal, which names each field that does not hold.
 * @example const fields = parseProfileFields(JSON.parse(text));
 */
export function parseProfileFields(value: unknown): ProfileFields {
  const { data, error } = Fields.safeParse(value);
  if (data) return data;
  throw refusalOf(error.issues.map(problemOf));
}

function problemOf(issue: z.core.$ZodIssue): FieldProblem {
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys : [];
  const field = [...issue.path.map(String), ...unknown.slice(0, 1)].join('.') || 'the file';
  if (unknown.length > 0) return { field, message: 'is no field of a profile' };
  const isMissing = issue.code === 'invalid_type' && issue.message.endsWith('received undefined');
  return { field, message: isMissing ? 'is required' : issue.message };
}

const refusalOf = (problems: readonly FieldProblem[]): AdminRefusal =>
  new AdminRefusal(problems.map(({ field, message }) => `${field}: ${message}`).join('; '), problems);

/** Refuses fields that contradict each other in the profile that results. */
export function checkCombination(profile: StoredProfile): void {
  const { method, format, saveAsPem, inputFolder, approval, externalSigner, signerFolder } = profile;
  const problems: FieldProblem[] = [];
  const expect = (holds: boolean, field: string, message: string): void =>
    void (holds || problems.push({ field, message }));
  const only = 'belongs to another method: set it to null';
  expect(method === 'ExternalSigner' || !externalSigner, 'externalSigner', only);
  expect(method !== 'ExternalSigner' || !!externalSigner, 'externalSigner', 'is required by the method');
  expect(method === 'SignerFolder' || !signerFolder, 'signerFolder', only);
  expect(method !== 'SignerFolder' || !!signerFolder, 'signerFolder', 'is required by the method');
  expect(method !== 'SignerFolder' || !inputFolder, 'inputFolder', 'feeds no profile of this method');
  expect(!saveAsPem || !format || format === 'Cades', 'saveAsPem', 'is for the format Cades alone');
  expect(method !== 'SignerFolder' || !approval, 'approval', 'is for files, and this method signs none');
  expect(
    method !== 'ExternalSigner' || !profile.cloudCertificate,
    'cloudCertificate',
    'signs nothing with this method, by which others sign: set it to null',
  );
  const hasApprovers = approval !== undefined && approval.signerSet !== 'Profile';
  expect(
    !hasApprovers || !format || format === 'Cades',
    'approval.signerSet',
    `asks for signatures of approvers, which files of the format ${format} do not take: set the format to Cades`,
  );
  expect(
    !hasApprovers || method !== 'ExternalSigner',
    'approval.signerSet',
    'asks for signatures of approvers, and with this method others sign: set it to Profile',
  );
  if (problems.length > 0) throw refusalOf(problems);
}
