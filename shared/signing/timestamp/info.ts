import { childrenOf, type Element, expectTag, readCount, readInteger, readOid } from '../../der/read.ts';
import { context, TAG } from '../../der/tags.ts';
import { readTime } from '../../der/text-and-time.ts';
import { octetString, sequence } from '../../der/write.ts';
import { readAlgorithm } from '../../pki/certificate/certificate.ts';
import { readElement } from '../cms/ber-or-der.ts';
import { checkHash, type Digest, digestAlgorithmWithNull, digestByOid } from '../digest.ts';

/** A TSTInfo (RFC 3161, 2.4.2): the authority's statement. */
export type TimestampInfo = {
  readonly version: number;
  readonly policy: string;
  readonly imprint: Imprint;
  readonly serialNumber: bigint;
  readonly timeMs: number;
  /** The accuracy that the authority states, if any. */
  readonly accuracyMs: number | undefined;
  readonly nonce: Buffer | undefined;
};

/** Throws CmsMalformed and nothing else. */
export const readInfo = (bytes: Buffer): TimestampInfo => readElement(bytes, readInfoFields);

function readInfoFields(element: Element): TimestampInfo {
  const [version, policy, imprint, serialNumber, time, ...rest] = childrenOf(element, TAG.SEQUENCE);
  expectTag(time, TAG.GENERALIZED_TIME);
  const take = (tag: number): Element | undefined => (rest[0]?.tag === tag ? rest.shift() : undefined);
  const accuracy = take(TAG.SEQUENCE);
  take(TAG.BOOLEAN); // ordering
  const nonce = take(TAG.INTEGER);
  return {
    version: readCount(version),
    policy: readOid(policy),
    imprint: readImprint(imprint),
    serialNumber: readInteger(serialNumber),
    timeMs: readTime(time),
    accuracyMs: accuracy && readAccuracy(accuracy),
    nonce: nonce?.raw,
  };
}

function readAccuracy(element: Element): number {
  const parts = childrenOf(element, TAG.SEQUENCE);
  const part = (tag: number): number => {
    const found = parts.find((candidate) => candidate.tag === tag);
    return found ? readCount({ ...found, tag: TAG.INTEGER }) : 0;
  };
  return part(TAG.INTEGER) * 1000 + part(context(0, 'primitive')) + part(context(1, 'primitive')) / 1000;
}

/** A MessageImprint (RFC 3161, 2.4.1): a hash and its algorithm. */
export type Imprint = {
  readonly digestOid: string;
  /** Undefined for an unknown algorithm. */
  readonly digest: Digest | undefined;
  readonly hash: Buffer;
};

export function writeImprint(digest: Digest, hash: Buffer): Buffer {
  checkHash(digest, hash);
  return sequence(digestAlgorithmWithNull(digest), octetString(hash));
}

export function readImprint(element: Element | undefined): Imprint {
  const [algorithm, hash] = childrenOf(element, TAG.SEQUENCE);
  const { oid } = readAlgorithm(algorithm);
  return { digestOid: oid, digest: digestByOid(oid), hash: expectTag(hash, TAG.OCTET_STRING).content };
}
