import type { Certificate } from '../../pki/certificate/certificate.ts';
import { readSignedData, type SignedData } from '../cms/read.ts';
import { findCertificates } from '../cms/signer-certificate.ts';
import type { Stamp } from '../cms/stamp.ts';
import type { SigningDigest } from '../digest.ts';
import type { SigningKey } from '../key.ts';
import type { CollectEvidence } from './collect-evidence.ts';
import { completePades } from './complete.ts';
import { ContentsTooSmall, fillContents, hashAround } from './contents-placeholder.ts';
import { SUB_FILTER } from './fields.ts';
import { openForUpdate } from './open-for-signing.ts';
import { append, type Source, sourceOf } from './pdf/source.ts';
import { textString } from './pdf/text.ts';
import { type PadesOptions, preparePades, TIMESTAMP_BYTES } from './prepare.ts';
import { appendSignedField } from './signed-field.ts';
import { appendValidationData } from './validation-data.ts';

export type SignPadesOptions = Omit<PadesOptions, 'timestamped' | 'contentsBytes'> & {
  /** A timestamp authority: B-T. */
  readonly stamp?: Stamp | undefined;
  /** Collects the evidence of the signers, see collectEvidenceWith. With `stamp`: B-LT. */
  readonly evidence?: CollectEvidence | undefined;
  /** An authority for a final timestamp over the whole file. With all three: B-LTA. */
  readonly archive?: Stamp | undefined;
};

/**
 * Signs a PDF in one step. The result begins with the original bytes, unchanged.
 * @example const signed = await signPades(bytes, key, { signingTimeMs: now(), reason: 'Contract' });
 */
export const signPades = async (
  file: Uint8Array,
  key: SigningKey,
  options: SignPadesOptions,
): Promise<Buffer> => Buffer.concat(await signPadesInPieces(file, key, options));

/**
 * The same without a copy of the whole file: returns the original and the appended bytes.
 * @example for (const piece of await signPadesInPieces(bytes, key, { signingTimeMs: now() })) output.write(piece);
 */
export async function signPadesInPieces(
  file: Uint8Array,
  key: SigningKey,
  options: SignPadesOptions,
): Promise<readonly Buffer[]> {
  const { stamp, evidence, archive, digest } = options;
  const tokens: Buffer[] = [];
  const recordTokens: Stamp | undefined =
    stamp &&
    (async (...imprint) => {
      const token = await stamp(...imprint);
      tokens.push(token);
      return token;
    });
  let source = await signOnce(sourceOf(file), key, { ...options, stamp: recordTokens });
  if (evidence) {
    const stampers = tokens.map((token) => readSignedData(token));
    const signers = [key.certificate, ...stampers.flatMap(signerCertificates)];
    const others = [...key.chain, ...stampers.flatMap(({ certificates }) => certificates)];
    source = appendValidationData(source, await evidence(signers, others));
  }
  if (archive) source = await appendDocumentTimestamp(source, archive, digest && { digest });
  return source.pieces;
}

const signerCertificates = ({ signers, certificates }: SignedData): Certificate[] =>
  signers.flatMap(({ id }) => findCertificates(id, certificates));

type SignOnceOptions = Omit<PadesOptions, 'timestamped'> & { readonly stamp?: Stamp | undefined };

async function signOnce(source: Source, key: SigningKey, options: SignOnceOptions): Promise<Source> {
  const { certificate, chain } = key;
  const { stamp } = options;
  const prepared = preparePades(source, { ...options, certificate, chain, timestamped: stamp !== undefined });
  const signature = await key.signHash(prepared.digest, prepared.hash, prepared.toSign);
  try {
    return append(source, await completePades(prepared.state, signature, { ...prepared, stamp }));
  } catch (error) {
    if (!(error instanceof ContentsTooSmall) || options.contentsBytes !== undefined) throw error;
    // The placeholder's size is part of the signed bytes: a larger one takes another signature.
    return signOnce(source, key, { ...options, contentsBytes: error.neededBytes + SPARE_BYTES });
  }
}

const TIMESTAMP_HEAD = `/Type/DocTimeStamp/Filter/Adobe.PPKLite/SubFilter/${SUB_FILTER.timestamp}`;

export type DocumentTimestampOptions = {
  readonly digest?: SigningDigest;
  readonly contentsBytes?: number;
  /** An empty signature field of the form, or the name of a new one. */
  readonly field?: string | undefined;
  readonly reason?: string | undefined;
};

/**
 * Appends a timestamp over the whole file: PAdES B-LTA (ETSI EN 319 142-1, 5.4.3). It protects the signatures when their
 * algorithms become weak.
 * @example const archived = await appendDocumentTimestamp(sourceOf(signed), stamp);
 */
export async function appendDocumentTimestamp(
  source: Source,
  stamp: Stamp,
  options: DocumentTimestampOptions = {},
): Promise<Source> {
  const { digest = 'sha256', contentsBytes = TIMESTAMP_BYTES, field, reason } = options;
  const { increment, placeholder } = appendSignedField(openForUpdate(source), {
    ...{ kind: 'timestamp', field, contentsBytes },
    head: TIMESTAMP_HEAD,
    tail: reason === undefined ? '' : `/Reason${textString(reason)}`,
  });
  const token = await stamp(digest, hashAround(append(source, increment), placeholder, digest));
  try {
    return append(source, fillContents(increment, source.length, placeholder, token));
  } catch (error) {
    if (!(error instanceof ContentsTooSmall) || contentsBytes !== TIMESTAMP_BYTES) throw error;
    return appendDocumentTimestamp(source, stamp, {
      ...options,
      contentsBytes: error.neededBytes + SPARE_BYTES,
    });
  }
}

// Tokens of one authority differ by a few bytes.
const SPARE_BYTES = 1024;
