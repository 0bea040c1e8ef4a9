import type { Certificate } from '../../pki/certificate/certificate.ts';
import { readSignedData, type SignedData } from '../cms/read.ts';
import { findCertificates } from '../cms/signer-certificate.ts';
import type { Stamp } from '../cms/stamp.ts';
import type { SigningKey } from '../key.ts';
import { completePades } from './complete.ts';
import { SPARE_BYTES, withDocumentTimestamp } from './document-timestamp.ts';
import type { CollectEvidence } from './evidence-by.ts';
import { ContentsTooSmall } from './hole.ts';
import { extended, type Source, sourceOf } from './pdf/source.ts';
import { type PadesOptions, preparePades } from './prepare.ts';
import { withValidationData } from './validation-data.ts';

export type SignPadesOptions = Omit<PadesOptions, 'timestamped' | 'contentsBytes'> & {
  /** An authority to ask for timestamps: B-T. */
  readonly stamp?: Stamp | undefined;
  /** Collects what these signers are judged by, see evidenceBy; with it and `stamp`: B-LT. */
  readonly evidence?: CollectEvidence | undefined;
  /** An authority for a timestamp over the whole file at the end; with all three: B-LTA. */
  readonly archive?: Stamp | undefined;
};

/**
 * Signs a PDF in one step. The original bytes stand unchanged at the beginning of the result.
 * @example const signed = await signPades(bytes, key, { signingTimeMs: now(), reason: 'Contract' });
 */
export const signPades = async (
  file: Uint8Array,
  key: SigningKey,
  options: SignPadesOptions,
): Promise<Buffer> => Buffer.concat(await signPadesInPieces(file, key, options));

/**
 * The same without a copy of the whole: the original as it came, and what is appended to it.
 * @example for (const piece of await signPadesInPieces(bytes, key, { signingTimeMs: now() })) output.write(piece);
 */
export async function signPadesInPieces(
  file: Uint8Array,
  key: SigningKey,
  options: SignPadesOptions,
): Promise<readonly Buffer[]> {
  const { stamp, evidence, archive, digest } = options;
  const tokens: Buffer[] = [];
  const keeping: Stamp | undefined =
    stamp &&
    (async (...imprint) => {
      const token = await stamp(...imprint);
      tokens.push(token);
      return token;
    });
  let source = await signedOnce(sourceOf(file), key, { ...options, stamp: keeping });
  if (evidence) {
    const stampers = tokens.map((token) => readSignedData(token));
    const signers = [key.certificate, ...stampers.flatMap(signerCertificates)];
    const others = [...key.chain, ...stampers.flatMap(({ certificates }) => certificates)];
    source = withValidationData(source, await evidence(signers, others));
  }
  if (archive) source = await withDocumentTimestamp(source, archive, digest && { digest });
  return source.pieces;
}

const signerCertificates = ({ signers, certificates }: SignedData): Certificate[] =>
  signers.flatMap(({ id }) => findCertificates(id, certificates));

type Once = Omit<PadesOptions, 'timestamped'> & { readonly stamp?: Stamp | undefined };

async function signedOnce(source: Source, key: SigningKey, options: Once): Promise<Source> {
  const { certificate, chain } = key;
  const { stamp } = options;
  const prepared = preparePades(source, { ...options, certificate, chain, timestamped: stamp !== undefined });
  const signature = await key.signHash(prepared.digest, prepared.hash);
  try {
    return extended(source, await completePades(prepared.state, signature, { ...prepared, stamp }));
  } catch (error) {
    if (!(error instanceof ContentsTooSmall) || options.contentsBytes !== undefined) throw error;
    // The room is part of what is signed, so that more of it takes another signature.
    return signedOnce(source, key, { ...options, contentsBytes: error.neededBytes + SPARE_BYTES });
  }
}
