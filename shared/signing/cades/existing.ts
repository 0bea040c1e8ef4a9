import { readAlgorithm } from '../../pki/certificate/certificate.ts';
import { onlyOctets } from '../cms/attribute-map.ts';
import { readElement } from '../cms/ber-or-der.ts';
import { parseStream, type Source } from '../cms/input.ts';
import { ATTRIBUTE } from '../cms/oids.ts';
import { decodePem } from '../cms/pem.ts';
import { readParts } from '../cms/read.ts';
import type { SignedDataParts } from '../cms/signed-data.ts';
import { type SplitSignedData, splitSignedData } from '../cms/split.ts';
import { openHash, type SigningDigest } from '../digest.ts';
import { ContentMismatch } from '../errors.ts';
import type { MeasuredContent } from './content.ts';

/** An existing signature: its parts, and the measure of its content (empty for a detached one). */
export type ExistingSignature = { readonly split: SplitSignedData; readonly content: MeasuredContent };

/** @example const { split } = await readExisting(createReadStream('contract.p7s'), 'sha256'); */
export async function readExisting(source: Source, digest: SigningDigest): Promise<ExistingSignature> {
  const hash = openHash(digest);
  const pieces = parseStream(splitSignedData(), decodePem(source));
  let bytes = 0;
  let step = await pieces.next();
  for (; !step.done; step = await pieces.next()) {
    hash.update(step.value);
    bytes += step.value.length;
  }
  return { split: step.value, content: { hash: hash.digest(), bytes } };
}

/** The content of an attached signature, as a stream. @example await pipeline(contentOf(createReadStream('contract.p7m')), file) */
export const contentOf = (source: Source): AsyncGenerator<Buffer> =>
  parseStream(splitSignedData(), decodePem(source));

/** Refuses to add a signature over other content than the earlier signers signed. */
export function checkSameContent(existing: SplitSignedData, digest: SigningDigest, hash: Buffer): void {
  const differs = readParts(existing).signers.some((signer) => {
    const signed = onlyOctets(signer.signed, ATTRIBUTE.messageDigest);
    return signer.digest === digest && signed && !signed.equals(hash);
  });
  if (differs)
    throw new ContentMismatch(
      'The earlier signatures are over other content than this. Give the content that they signed.',
    );
}

/** The earlier signatures unchanged, and one more. */
export function appendSigner(existing: SignedDataParts, added: SignedDataParts): SignedDataParts {
  const known = new Set(existing.digestAlgorithms.map(algorithmOid));
  return {
    version: Math.max(existing.version, added.version),
    contentType: existing.contentType,
    digestAlgorithms: [
      ...existing.digestAlgorithms,
      ...added.digestAlgorithms.filter((algorithm) => !known.has(algorithmOid(algorithm))),
    ],
    certificates: [...existing.certificates, ...added.certificates],
    crls: [...existing.crls, ...added.crls],
    signerInfos: [...existing.signerInfos, ...added.signerInfos],
  };
}

const algorithmOid = (raw: Buffer): string => readElement(raw, (element) => readAlgorithm(element).oid);
