import type { Certificate } from '../../../pki/certificate.ts';
import { type Finding, failed, resultsOf, type ValidationResults } from '../../../pki/validation-results.ts';
import { type SignerReport, verifySigners } from '../../cades/verify-signers.ts';
import type { CertificateVerdict, Judge } from '../../cms/judge.ts';
import { readSignedData } from '../../cms/read.ts';
import { type Digest, hashOf, openHash } from '../../digest.ts';
import { CmsMalformed } from '../../errors.ts';
import type { NamedPolicy, SignaturePolicy } from '../../policy.ts';
import { type TimestampReport, verifyTimestamp } from '../../timestamp/verify.ts';
import { eachSlice, sourceOf } from '../pdf/source.ts';
import { SUB_FILTER } from '../sub-filters.ts';
import type { Covered } from './byte-range.ts';
import { structureIn } from './contents.ts';

/** What the signature itself proves, whatever happened to the file afterwards. */
export type Proof = {
  readonly certificate: Certificate | undefined;
  readonly digest: Digest | undefined;
  readonly claimedTimeMs: number | undefined;
  readonly timestamps: readonly TimestampReport[];
  readonly provenTimeMs: number | undefined;
  readonly judgedAtMs: number;
  readonly policy: NamedPolicy | undefined;
  /** The bytes that it covers are the ones signed, by the key of this certificate. */
  readonly intact: boolean;
  readonly verdict: CertificateVerdict | undefined;
  readonly valid: boolean;
  readonly results: ValidationResults;
};

export type ProofContext = {
  readonly judge: Judge;
  readonly atMs: number;
  readonly policies?: readonly SignaturePolicy[] | undefined;
  readonly certificates: readonly Certificate[];
};

/** Checks the signature over the bytes that it covers. Never throws for what the file holds. */
export async function checkSignature(
  file: Buffer,
  subFilter: string | undefined,
  covered: Covered,
  context: ProofContext,
): Promise<Proof> {
  try {
    const structure = structureIn(covered.contents);
    const hash = hashesOf(file, covered);
    if (subFilter === SUB_FILTER.timestamp) return await ofTimestamp(structure, hash, context);
    const profile = PROFILES.get(subFilter ?? '');
    if (!profile)
      return unproven(
        [failed('AlgorithmNotAllowed', `Signatures of the kind ${subFilter} are not accepted.`)],
        context,
      );
    return await ofSigner(structure, hash, profile, context);
  } catch (error) {
    if (!(error instanceof CmsMalformed)) throw error;
    return unproven([failed('DecodeError', `The signature cannot be read. ${error.message}`)], context);
  }
}

type Profile = { readonly profile: 'cades' | 'cms'; readonly holdsHash: boolean };

const PROFILES = new Map<string, Profile>([
  [SUB_FILTER.pades, { profile: 'cades', holdsHash: false }],
  [SUB_FILTER.icpBrasil, { profile: 'cades', holdsHash: false }],
  [SUB_FILTER.adobeDetached, { profile: 'cms', holdsHash: false }],
  [SUB_FILTER.adobeSha1, { profile: 'cms', holdsHash: true }],
]);

type HashOf = (digest: Digest) => Buffer;

function hashesOf(file: Buffer, { holeStart, holeEnd, end }: Covered): HashOf {
  const known = new Map<Digest, Buffer>();
  const source = sourceOf(file);
  return (digest) => {
    const made = known.get(digest);
    if (made) return made;
    const hash = openHash(digest);
    const take = (slice: Buffer): void => void hash.update(slice);
    eachSlice(source, 0, holeStart, take);
    eachSlice(source, holeEnd, end, take);
    const all = hash.digest();
    known.set(digest, all);
    return all;
  };
}

async function ofSigner(
  structure: Buffer,
  hash: HashOf,
  { profile, holdsHash }: Profile,
  context: ProofContext,
): Promise<Proof> {
  const data = readSignedData(structure);
  const { content } = data;
  // What is signed must be the file: a structure with content of its own is over that.
  const isOverFile = holdsHash ? content?.equals(hash('sha1')) : content === undefined;
  if (!isOverFile)
    return unproven(
      [failed('MessageDigestMismatch', 'The signature is over other content than this file.')],
      context,
    );
  const contentHash = (digest: Digest): Buffer => (content ? hashOf(digest, content) : hash(digest));
  const [report, ...more] =
    data.signers.length === 1 ? await verifySigners(data, { ...context, contentHash, profile }) : [];
  if (!report || more.length)
    return unproven(
      [failed('DecodeError', `A PDF signature has one signer; this one has ${data.signers.length}.`)],
      context,
    );
  return proofOf(report);
}

const proofOf = ({ countersignatures: _, ...report }: SignerReport): Proof => report;

async function ofTimestamp(token: Buffer, hash: HashOf, context: ProofContext): Promise<Proof> {
  const { info, authority, intact, verdict, valid, results } = await verifyTimestamp(token, hash, context);
  return {
    ...unproven([], context),
    certificate: authority,
    digest: info?.imprint.digest,
    claimedTimeMs: info?.timeMs,
    provenTimeMs: valid ? info?.timeMs : undefined,
    intact,
    verdict,
    valid,
    results,
  };
}

/** A signature that proves nothing, and why. */
export const unproven = (findings: readonly Finding[], { atMs }: Pick<ProofContext, 'atMs'>): Proof => ({
  certificate: undefined,
  digest: undefined,
  claimedTimeMs: undefined,
  timestamps: [],
  provenTimeMs: undefined,
  judgedAtMs: atMs,
  policy: undefined,
  intact: false,
  verdict: undefined,
  valid: false,
  results: resultsOf(findings),
});
