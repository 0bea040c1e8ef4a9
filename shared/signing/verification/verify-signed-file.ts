import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Certificate } from '../../pki/certificate/certificate.ts';
import { resultsOf, type ValidationItemType } from '../../pki/findings/validation-results.ts';
import { icpBrasilIdentity } from '../../pki/icp-brasil/icp-brasil.ts';
import { type Cpf, maskCpf } from '../../taxpayer/cpf.ts';
import type { Judge } from '../cms/judge.ts';
import type { SignatureKind } from '../format.ts';
import type { SignatureFormat } from '../format-of.ts';
import type { ChangeKind } from '../pades/verify/changes.ts';
import type { LocalFile } from '../read-chunks.ts';
import type { FoundFile, FoundSignature } from './found.ts';
import { VerificationRefused } from './refused.ts';
import { findSignatures, type VerifiableFile } from './verify-file.ts';

export type VerifySignedFileOptions = {
  readonly format: SignatureKind;
  readonly atMs: number;
  /** The signature must be this certificate's. By default any signer's will do. */
  readonly signer?: Certificate | undefined;
  /** Each of these certificates must have a signature; one that is named twice, two. */
  readonly signers?: readonly Certificate[] | undefined;
  /** Each of these people must have signed. */
  readonly cpfs?: readonly string[] | undefined;
};

export type SignedFileResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly reasons: readonly string[] };

/**
 * Verifies that a file carries a signature that matches its bytes, binds its signer's certificate and covers
 * the whole document. Trust, validity and revocation of certificates are not judged, and nothing is fetched: a
 * revocation server that is down fails no file. Earlier signatures of a file do not count either way. CMS is streamed;
 * PDF and XML are held in memory. Throws only where the file cannot be read from the disk.
 * @example const result = await verifySignedFile('a.signed.pdf', { format: 'pades', atMs: nowMs, signer: key.certificate });
 */
export const verifySignedFile = async (
  file: LocalFile,
  options: VerifySignedFileOptions,
): Promise<SignedFileResult> => (await inspectSignedFile(file, options)).result;

/**
 * The same, with the signatures that were found, for callers that keep more of a file than the outcome.
 * @example const { result, signatures } = await inspectSignedFile('a.xml', { format: 'xades', atMs: nowMs });
 */
export async function inspectSignedFile(
  file: LocalFile,
  { format, atMs, signer, signers = [], cpfs = [] }: VerifySignedFileOptions,
): Promise<{ readonly result: SignedFileResult; readonly signatures: readonly FoundSignature[] }> {
  try {
    const found = await findSignatures(FORMATS[format], sourceOf(file), { judge: assumeTrusted, atMs });
    const conclusions = [
      conclude(found, signer),
      concludeSigners(found, signers),
      concludePeople(found, cpfs),
    ];
    const result = conclusions.find(({ ok }) => !ok) ?? { ok: true };
    return { result, signatures: found.signatures };
  } catch (error) {
    if (!(error instanceof VerificationRefused)) throw error;
    return { result: { ok: false, reasons: [error.message] }, signatures: [] };
  }
}

// Small, so that a large file leaves little memory to collect at a time.
const CHUNK_BYTES = 32 * 1024;

const sourceOf = (file: LocalFile): Pick<VerifiableFile, 'stream' | 'bytes'> =>
  typeof file === 'string'
    ? {
        stream: () => createReadStream(file, { highWaterMark: CHUNK_BYTES }),
        bytes: () => readFile(file),
      }
    : { stream: () => file, bytes: async () => file };

const FORMATS: Readonly<Record<SignatureKind, SignatureFormat>> = {
  pades: 'PAdES',
  cades: 'CAdES',
  xades: 'XAdES',
};

/**
 * Takes every certificate for trusted: for what a file holds, and not for what it proves.
 * @example await findSignatures('XAdES', inMemory(bytes), { judge: assumeTrusted, atMs });
 */
export const assumeTrusted: Judge = async () => ({ status: 'ACTIVE', results: resultsOf([]) });

function conclude(found: FoundFile, signer: Certificate | undefined): SignedFileResult {
  const own = found.signatures.filter(
    ({ kind, certificate }) => kind === 'signature' && (!signer || certificate?.sha256 === signer.sha256),
  );
  const problems = own.map((signature) => problemsOf(signature, found));
  if (problems.some((one) => one.length === 0)) return { ok: true };
  // The newest signature is the last one.
  return { ok: false, reasons: problems.at(-1) ?? [signer ? NOT_BY_SIGNER : NOT_SIGNED] };
}

/** Several certificates sign side by side: each signature must cover the whole document. */
function concludeSigners(found: FoundFile, signers: readonly Certificate[]): SignedFileResult {
  const good = found.signatures
    .filter((signature) => signature.kind === 'signature' && problemsOf(signature, found).length === 0)
    .map(({ certificate }) => certificate?.sha256);
  const missing = signers.filter(({ sha256 }) => {
    const at = good.indexOf(sha256);
    if (at >= 0) good.splice(at, 1);
    return at < 0;
  });
  if (missing.length === 0) return { ok: true };
  return {
    ok: false,
    reasons: missing.map(({ subject }) => `The file holds no valid signature of ${subject.text}.`),
  };
}

/** Several people sign one after another, so those before the last do not sign what the others add. */
function concludePeople({ signatures }: FoundFile, cpfs: readonly string[]): SignedFileResult {
  const signed = new Set<string | undefined>(
    signatures
      .filter((signature) => signature.kind === 'signature' && isIntact(signature))
      .map(({ certificate }) => certificate && icpBrasilIdentity(certificate).cpf),
  );
  const missing = cpfs.filter((cpf) => !signed.has(cpf));
  if (missing.length === 0) return { ok: true };
  return {
    ok: false,
    reasons: missing.map((cpf) => `The file holds no valid signature of CPF ${maskCpf(cpf as Cpf)}.`),
  };
}

const isIntact = (signature: FoundSignature): boolean =>
  signature.intact === true &&
  errorsOf(signature).length === 0 &&
  (signature.changes ?? []).every(({ allowed }) => allowed);

const NOT_SIGNED = 'The file holds no signature.';
const NOT_BY_SIGNER = "The file holds no signature of the signer's certificate.";
const NOT_INTACT = 'The signature could not be confirmed.';
const NOT_WHOLE = 'The signature does not cover the whole document.';

function problemsOf(signature: FoundSignature, { coverage }: FoundFile): string[] {
  const errors = errorsOf(signature);
  const isIntact = signature.intact === true;
  return [
    ...errors.map(({ message }) => message),
    ...(isIntact || errors.length > 0 ? [] : [NOT_INTACT]),
    ...(isIntact && !(coverage.isComplete && coversWhole(signature)) ? [NOT_WHOLE] : []),
  ];
}

const errorsOf = ({ results }: FoundSignature) =>
  results.errors.filter(({ type }) => !ABOUT_CERTIFICATE.includes(type));

// These rest on fields of the certificate alone. Whoever validates the certificate judges them.
const ABOUT_CERTIFICATE: readonly ValidationItemType[] = [
  'SigningTimeOutOfCertificateValidity',
  'InvalidKeyUsage',
];

/** Whether nothing of the document is outside of the signature, apart from proof that was added to a PDF. */
const coversWhole = ({ covers, changes = [] }: FoundSignature): boolean =>
  covers.some(
    ({ kind, isRoot }) =>
      isRoot ||
      ['file', 'document', 'content'].includes(kind) ||
      (kind === 'revision' && changes.length > 0 && changes.every((change) => PROOF.includes(change.kind))),
  );

const PROOF: readonly ChangeKind[] = ['validation-data', 'document-timestamp'];
