import { childrenOf } from '../../der/read.ts';
import { context, TAG } from '../../der/tags.ts';
import { oid } from '../../der/write.ts';
import { errorFinding } from '../../pki/findings/validation-results.ts';
import { tryChargeHashing, tryChargeReading } from '../../pki/path/checks.ts';
import { readElement } from '../cms/ber-or-der.ts';
import type { Integrity } from '../cms/integrity.ts';
import { ATTRIBUTE, algorithmName } from '../cms/oids.ts';
import { readSignedData, type SignedData, type SignerInfo } from '../cms/read.ts';
import { type Digest, hashOf } from '../digest.ts';
import { CmsMalformed } from '../errors.ts';
import { readInfo, type TimestampInfo } from '../timestamp/info.ts';
import { type TimestampReport, unprovenTimestamp, verifyTimestamp } from '../timestamp/verify.ts';
import { type HashIndex, hashesOf, indexedValues, readHashIndex } from './hash-index.ts';
import { MAX_TIMESTAMPS, type StampContext } from './signature-timestamps.ts';

/** An archive timestamp's report, and the unsigned attribute values that its index lists. */
export type ArchiveTimestamp = {
  readonly report: TimestampReport;
  readonly covered: readonly { readonly type: string; readonly value: Buffer }[];
};

export type ArchiveContext = StampContext & {
  readonly atMs: number;
  readonly contentHash: (digest: Digest) => Buffer | undefined;
};

/**
 * Checks the archive timestamps of a signer (EN 319 122-1, 5.5.3), the latest first. Each proves that everything it
 * covers existed by then. An earlier timestamp that it covers is therefore judged at that time.
 */
export async function verifyArchiveTimestamps(
  signer: SignerInfo,
  data: SignedData,
  context: ArchiveContext,
): Promise<ArchiveTimestamp[]> {
  const tokens = (signer.unsigned.get(ATTRIBUTE.archiveTimestampV3) ?? [])
    .slice(0, MAX_TIMESTAMPS)
    .map(({ raw }) => {
      // A token is read twice: for its time and for its index. An unreadable one is judged last.
      const isAffordable = tryChargeReading(2 * raw.length, context.checks);
      return { raw, claimedMs: (isAffordable && claimsOf(raw)?.timeMs) || 0 };
    })
    .toSorted((one, other) => other.claimedMs - one.claimedMs);
  const found: ArchiveTimestamp[] = [];
  for (const { raw } of tokens) {
    const atMs = provenAt(found, ATTRIBUTE.archiveTimestampV3, raw) ?? context.atMs;
    found.push(await verifyOne(raw, signer, data, { ...context, atMs }));
  }
  return found;
}

/** The earliest time by which good archive timestamps prove that this value of an attribute existed. */
export function provenAt(
  timestamps: readonly ArchiveTimestamp[],
  type: string,
  value: Buffer,
): number | undefined {
  const times = timestamps.flatMap(({ report: { valid, info }, covered }) =>
    valid && info && covered.some((one) => one.type === type && one.value.equals(value)) ? [info.timeMs] : [],
  );
  return times.length ? Math.min(...times) : undefined;
}

/** The digests that archive timestamps need of the content, beside the signer's own. */
export const archiveDigests = ({ unsigned }: SignerInfo): Digest[] =>
  (unsigned.get(ATTRIBUTE.archiveTimestampV3) ?? [])
    .slice(0, MAX_TIMESTAMPS)
    .flatMap(({ raw }) => claimsOf(raw)?.imprint.digest ?? []);

function claimsOf(token: Buffer): TimestampInfo | undefined {
  try {
    const { content } = readSignedData(token);
    return content && readInfo(content);
  } catch (error) {
    if (error instanceof CmsMalformed) return undefined;
    throw error;
  }
}

async function verifyOne(
  token: Buffer,
  signer: SignerInfo,
  data: SignedData,
  context: ArchiveContext,
): Promise<ArchiveTimestamp> {
  if (context.checks.leftUnits < 0) return refusedTimestamp(undefined, TOO_MANY);
  try {
    const [authority] = readSignedData(token).signers;
    const index = authority && readHashIndex(authority);
    // Parser differential: of two indexes, two readers would check different ones.
    if (!index) return refusedTimestamp(false, 'It must have one ats-hash-index, and has not.');
    const { digest } = index;
    if (!digest)
      return refusedTimestamp(
        undefined,
        `The digest of its ats-hash-index, ${algorithmName(index.digestOid)}, is not supported here.`,
      );
    const values = indexedValues(signer, index.hashes);
    const bytes = values.reduce((sum, { octets }) => sum + octets.length, 0);
    if (!tryChargeHashing(bytes, context.checks)) return refusedTimestamp(undefined, TOO_MANY);
    const covered = values
      .map((one) => ({ ...one, hash: hashOf(digest, one.octets) }))
      .filter(({ hash }) => index.attributes.some((listed) => listed.equals(hash)));
    if (!isIndexComplete(index, digest, covered, data, context))
      return refusedTimestamp(false, 'Something that it covers was changed or taken out since.');
    const imprintOf = (ofImprint: Digest) =>
      computeImprint(ofImprint, index, signer, data, context.contentHash(ofImprint));
    return { report: await verifyTimestamp(token, imprintOf, context), covered };
  } catch (error) {
    if (!(error instanceof CmsMalformed)) throw error;
    return refusedTimestamp(false, error.message);
  }
}

const TOO_MANY = 'It was not checked: the file asks for more checks than one may.';

const refusedTimestamp = (intact: Integrity, why: string): ArchiveTimestamp => ({
  report: unprovenTimestamp(intact, errorFinding('InvalidArchiveTimestamp', `The archive timestamp: ${why}`)),
  covered: [],
});

// EN 319 122-1, 5.5.2: every hash of the index must match something in the file. Parts without a hash came later, are not
// covered, and get no time from it.
function isIndexComplete(
  index: HashIndex,
  digest: Digest,
  covered: readonly { readonly hash: Buffer }[],
  { split }: SignedData,
  { checks }: ArchiveContext,
): boolean {
  const certificates = hashesOf(split.certificates, digest, checks);
  const crls = hashesOf(split.crls, digest, checks);
  return (
    index.certificates.every((hash) => certificates.has(hash.toString('hex'))) &&
    index.crls.every((hash) => crls.has(hash.toString('hex'))) &&
    index.attributes.every((listed) => covered.some(({ hash }) => hash.equals(listed)))
  );
}

/** EN 319 122-1, 5.5.3: the content's type and hash, the SignerInfo without unsigned attributes, and the index. */
function computeImprint(
  digest: Digest,
  index: HashIndex,
  { raw }: SignerInfo,
  { split }: SignedData,
  contentHash: Buffer | undefined,
): Buffer | undefined {
  if (!contentHash) return undefined;
  const fields = readElement(raw, (signer) => childrenOf(signer, TAG.SEQUENCE));
  const signed = fields.filter(({ tag }, at) => tag !== context(1) || at < fields.length - 1);
  return hashOf(
    digest,
    Buffer.concat([oid(split.contentType), contentHash, ...signed.map((part) => part.raw), index.raw]),
  );
}
