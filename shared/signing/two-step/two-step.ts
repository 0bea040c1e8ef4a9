import {
  type Certificate,
  PublicKeyUnsupported,
  parseCertificate,
} from '../../pki/certificate/certificate.ts';
import type { Stamp } from '../cms/stamp.ts';
import { CmsMalformed, ContentMismatch, SigningRefused } from '../errors.ts';
import type { SignatureFormat } from '../format-of.ts';
import { isSignatureOfHash } from '../key-verify.ts';
import { PdfRefused } from '../pades/refused.ts';
import { XmlRefused } from '../xades/errors.ts';
import { ContentMissing, type Format, type SignatureInput } from './format.ts';
import type { SignatureOptions } from './options.ts';

// A signature with a key that is elsewhere, at a workstation or in a browser:
//
//   caller   |--start(certificate)------- signs the hash -------- complete(signature)--|
//   service        prepareSignature: hash, record                       completeSignature: signed file
//
// The service stores the record between both steps, beside what it needs to know whose turn it is.

/** The stored record of a signature between its two steps. Bytes are base64. */
export type SignatureRecord = {
  readonly format: SignatureFormat;
  readonly certificate: string;
  readonly chain: readonly string[];
  readonly signingTimeMs: number;
  readonly isTimestamped: boolean;
  readonly toSignHash: string;
  /** The state of the format, as JSON text. */
  readonly prepared: string;
  /** Absent where the signature has none. */
  readonly options?: SignatureOptions | undefined;
};

export type PreparedSignature = {
  readonly toSign: Buffer;
  /** SHA-256 of `toSign`. */
  readonly hash: Buffer;
  readonly record: SignatureRecord;
};

/**
 * The first step: the bytes that the key signs, and the record for the second step.
 * @example const { hash, record } = await prepareSignature('PAdES', { file, certificate, chain, signingTimeMs, … });
 */
export async function prepareSignature(
  format: SignatureFormat,
  input: SignatureInput,
): Promise<PreparedSignature> {
  const { hash, toSign, state } = await (await loadFormat(format)).prepare(input);
  const { certificate, chain, signingTimeMs, isTimestamped, options } = input;
  const record: SignatureRecord = {
    format,
    certificate: certificate.der.toString('base64'),
    chain: chain.map(({ der }) => der.toString('base64')),
    signingTimeMs,
    isTimestamped,
    toSignHash: hash.toString('base64'),
    prepared: JSON.stringify(state),
    ...(options && { options }),
  };
  return { hash, toSign, record };
}

/** The certificate of the signer. */
export const signerOf = ({ certificate }: Pick<SignatureRecord, 'certificate'>): Certificate =>
  certificateIn(certificate);

/** Whether the signer's key made this signature of the prepared hash. */
export const isSignatureOf = (record: SignatureRecord, signature: Buffer): Promise<boolean> =>
  isSignatureOfHash(
    signerOf(record).publicKey,
    'sha256',
    Buffer.from(record.toSignHash, 'base64'),
    signature,
  );

/** The parts of the input that the record does not hold. */
type Rest = Pick<SignatureInput, 'file' | 'visible' | 'othersFollow'>;

/**
 * The second step: the signed file. Throws SignatureMismatch for a wrong signature, PreparationMismatch where the file
 * or the options differ from the first step.
 */
export async function completeSignature(
  record: SignatureRecord,
  rest: Rest,
  signature: Buffer,
  stamp?: Stamp,
): Promise<Uint8Array | AsyncIterable<Uint8Array>> {
  const { format, certificate, chain, signingTimeMs, isTimestamped, toSignHash, prepared, options } = record;
  const input = {
    ...rest,
    certificate: certificateIn(certificate),
    chain: chain.map(certificateIn),
    signingTimeMs,
    isTimestamped,
    options,
  };
  return (await loadFormat(format)).complete(input, {
    state: JSON.parse(prepared),
    hash: Buffer.from(toSignHash, 'base64'),
    signature,
    stamp,
  });
}

const certificateIn = (base64: string): Certificate => parseCertificate(Buffer.from(base64, 'base64'));

/** Why a signature cannot start: the file is not signable in its format, or the key is not allowed to sign. */
export type SigningProblem =
  | { readonly subject: 'file'; readonly reason: string; readonly explanation: string }
  | { readonly subject: 'key'; readonly explanation: string };

/** The problem behind an error of `prepareSignature`; undefined for any other failure. */
export function signingProblemOf(error: unknown): SigningProblem | undefined {
  if (error instanceof PdfRefused || error instanceof XmlRefused)
    return { subject: 'file', reason: error.reason, explanation: error.message };
  if (error instanceof ContentMissing)
    return { subject: 'file', reason: 'content-missing', explanation: error.message };
  if (error instanceof ContentMismatch)
    return { subject: 'file', reason: 'other-content', explanation: error.message };
  if (error instanceof CmsMalformed)
    return { subject: 'file', reason: 'malformed', explanation: error.message };
  if (error instanceof SigningRefused || error instanceof PublicKeyUnsupported)
    return { subject: 'key', explanation: error.message };
  return undefined;
}

// A function loads the parser of a format at its first use only.
const FORMATS: Readonly<Record<SignatureFormat, () => Promise<Format<unknown>>>> = {
  PAdES: async () => (await import('./pades.ts')).pades as Format<unknown>,
  CAdES: async () => (await import('./cades.ts')).cades as Format<unknown>,
  XAdES: async () => (await import('./xades.ts')).xades as Format<unknown>,
};

const loadFormat = (format: SignatureFormat): Promise<Format<unknown>> => FORMATS[format]();
