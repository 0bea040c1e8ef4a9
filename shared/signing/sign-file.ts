import { stat } from 'node:fs/promises';
import type { SignaturePolicy } from './cms/policy.ts';
import type { Stamp } from './cms/stamp.ts';
import type { SigningDigest } from './digest.ts';
import { ContentMismatch } from './errors.ts';
import type { SignatureKind } from './format.ts';
import type { SigningKey } from './key.ts';
import type { SignPadesOptions } from './pades/sign.ts';
import { type LocalFile, readChunks } from './read-chunks.ts';
import { writeWhole } from './write-whole.ts';
import type { SignXadesOptions } from './xades/sign.ts';

/** The options of one format have no effect in another. */
export type SignFileOptions = {
  readonly format: SignatureKind;
  readonly key: SigningKey;
  /** The signer's claim. */
  readonly signingTimeMs: number;
  /** The default is SHA-256. */
  readonly digest?: SigningDigest | undefined;
  readonly policy?: SignaturePolicy | undefined;
  /** A timestamp authority: the signature is B-T. */
  readonly stamp?: Stamp | undefined;
  /** CAdES: the signature is apart from the content. */
  readonly detached?: boolean | undefined;
  /** CAdES: PEM text. */
  readonly pem?: boolean | undefined;
  readonly pades?: PadesParts | undefined;
  readonly xades?: Pick<SignXadesOptions, 'element' | 'leaveRoom'> | undefined;
  /** Opens a file to read it, from its start on every call. */
  readonly open?: ((file: string) => AsyncIterable<Uint8Array>) | undefined;
};

type PadesParts = Pick<
  SignPadesOptions,
  'field' | 'reason' | 'location' | 'visible' | 'evidence' | 'archive'
>;

/**
 * Signs one file on disk to another, which is written whole or not at all. CAdES streams: content of any size takes the
 * same memory. PDF and XML are held in memory.
 * @example await signFile('data.bin', 'data.bin.p7m', { format: 'cades', key, signingTimeMs: nowMs });
 */
export async function signFile(input: string, output: string, options: SignFileOptions): Promise<void> {
  await writeWhole(output, signInPieces(input, options));
}

/**
 * The same without a file for the result: the pieces of the signed file. A piece is used before the next one is requested.
 * @example const signed = await buffer(signInPieces(bytes, { format: 'pades', key, signingTimeMs: nowMs }));
 */
export const signInPieces = (input: LocalFile, options: SignFileOptions): AsyncGenerator<Uint8Array> =>
  SIGNERS[options.format](input, options);

type Signer = (input: LocalFile, options: SignFileOptions) => AsyncGenerator<Uint8Array>;

// Each format is loaded on demand: a function that meets only PDFs never loads the XML parser.
const SIGNERS: Readonly<Record<SignatureKind, Signer>> = {
  async *pades(input, { pades, key, ...options }) {
    const { signPadesInPieces } = await import('./pades/sign.ts');
    yield* await signPadesInPieces(await readWhole(input, options), key, { ...commonOf(options), ...pades });
  },
  async *cades(input, { pem, ...options }) {
    const signed = signCades(input, options);
    if (!pem) return yield* signed;
    const { encodePem } = await import('./cms/pem.ts');
    yield* encodePem(signed);
  },
  async *xades(input, { xades, key, ...options }) {
    const { signXades } = await import('./xades/sign.ts');
    yield await signXades(await readWhole(input, options), key, { ...commonOf(options), ...xades });
  },
};

type Common = Pick<SignFileOptions, 'digest' | 'signingTimeMs' | 'policy' | 'stamp'>;
type Reading = Pick<SignFileOptions, 'open'>;

const commonOf = ({ digest, signingTimeMs, policy, stamp }: Common): Common => ({
  ...{ digest, signingTimeMs, policy, stamp },
});

const opened = (file: LocalFile, { open = readChunks }: Reading): AsyncIterable<Uint8Array> =>
  typeof file === 'string' ? open(file) : readChunks(file);

/** Content is read once for its digest and, when attached, once more to be written. */
async function* signCades(
  input: LocalFile,
  { detached, key, ...options }: Omit<SignFileOptions, 'pem'>,
): AsyncGenerator<Uint8Array> {
  const { signAttached, signDetached } = await import('./cades/sign.ts');
  if (!detached) return yield* signAttached(() => opened(input, options), key, commonOf(options));
  const { measure } = await import('./cades/content.ts');
  const content = await measure(opened(input, options), options.digest ?? 'sha256');
  yield await signDetached(content, key, commonOf(options));
}

/** Reads into one buffer of the file's size: concatenating chunks would take the file's size twice. */
async function readWhole(file: LocalFile, options: Reading): Promise<Uint8Array> {
  if (typeof file !== 'string') return file;
  const { size } = await stat(file);
  const whole = Buffer.allocUnsafe(size);
  let at = 0;
  for await (const chunk of opened(file, options)) {
    whole.set(chunk.subarray(0, Math.max(0, size - at)), at);
    at += chunk.byteLength;
    if (at > size) break;
  }
  if (at !== size) throw new ContentMismatch(`${file} changed while it was being read. Sign it again.`);
  return whole;
}
