import { type Element, expectTag } from '../../der/read.ts';
import { TAG } from '../../der/tags.ts';
import { octetString, sequence } from '../../der/write.ts';
import { readAlgorithm } from '../../pki/certificate/certificate.ts';
import { partsOf } from '../cms/ber-or-der.ts';
import { checkHash, type Digest, digestAlgorithmWithNull, digestByOid } from '../digest.ts';

/** What is timestamped: a hash, and with which algorithm it was taken. */
export type Imprint = {
  readonly digestOid: string;
  /** Undefined when the algorithm is not known here. */
  readonly digest: Digest | undefined;
  readonly hash: Buffer;
};

export function writeImprint(digest: Digest, hash: Buffer): Buffer {
  checkHash(digest, hash);
  return sequence(digestAlgorithmWithNull(digest), octetString(hash));
}

export function readImprint(element: Element | undefined): Imprint {
  const [algorithm, hash] = partsOf(element, TAG.SEQUENCE);
  const { oid } = readAlgorithm(algorithm);
  return { digestOid: oid, digest: digestByOid(oid), hash: expectTag(hash, TAG.OCTET_STRING).content };
}
