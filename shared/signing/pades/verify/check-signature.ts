import type { Certificate } from '../../../pki/certificate/certificate.ts';
import {
  errorFinding,
  type Finding,
  resultsOf,
  type ValidationResults,
  warningFinding,
} from '../../../pki/findings/validation-results.ts';
import type { Checks } from '../../../pki/path/checks.ts';
import type { SignatureBytes } from '../../cades/signer-report.ts';
import { verifySigners } from '../../cades/verify-signers.ts';
import type { CertificateVerdict, Judge } from '../../cms/judge.ts';
import type { NamedPolicy, SignaturePolicy } from '../../cms/policy.ts';
import { readSignedData } from '../../cms/read.ts';
import { weaknessFindings } from '../../cms/weak-algorithms.ts';
import { type Digest, hashOf } from '../../digest.ts';
import { CmsMalformed } from '../../errors.ts';
import { type TimestampReport, verifyTimestamp } from '../../timestamp/verify.ts';
import { SUB_FILTER } from '../fields.ts';
import { type Covered, splitContents } from './byte-range.ts';
import type { HashOf } from './hashes.ts';

/** The proof of the signature itself, whatever happened to the file afterwards. */
export type Proof = {
  readonly certificate: Certificate | undefined;
  readonly digest: Digest | undefined;
  readonly claimedTimeMs: number | undefined;
  readonly timestamps: readonly TimestampReport[];
  readonly provenTimeMs: number | undefined;
  readonly judgedAtMs: number;
  readonly policy: NamedPolicy | undefined;
  readonly bytes?: SignatureBytes | undefined;
  /** Whether this certificate's key signed the covered bytes; undefined where it could not be checked. */
  readonly intact: boolean | undefined;
  readonly verdict: CertificateVerdict | undefined;
  readonly valid: boolean;
  readonly results: ValidationResults;
};

export type ProofContext = {
  readonly judge: Judge;
  readonly atMs: number;
  readonly policies?: readonly SignaturePolicy[] | undefined;
  readonly certificates: readonly Certificate[];
  readonly checks: Checks;
  /** The file's first bytes; see verifySigners. */
  readonly contentStart: Uint8Array;
};

/** Checks the signature over the bytes that it covers. Never throws because of the file's content. */
export async function checkSignature(
  subFilter: string | undefined,
  { contents }: Covered,
  hash: HashOf,
  context: ProofContext,
): Promise<Proof> {
  const profile = PROFILES.get(subFilter ?? '');
  const isTimestamp = subFilter === SUB_FILTER.timestamp;
  if (!profile && !isTimestamp) return unsupportedProof(subFilter, context);
  try {
    const { structure, hasRest } = splitContents(contents);
    const proof = profile
      ? await checkSigner(structure, hash, profile, context)
      : await checkTimestamp(structure, hash, context);
    return hasRest ? withFindings(proof, [UNSIGNED_REST]) : proof;
  } catch (error) {
    if (!(error instanceof CmsMalformed)) throw error;
    return emptyProof(
      [errorFinding('DecodeError', `The signature cannot be read. ${error.message}`)],
      context,
    );
  }
}

type Profile = { readonly profile: 'cades' | 'cms'; readonly holdsHash: boolean };

const PROFILES = new Map<string, Profile>([
  [SUB_FILTER.pades, { profile: 'cades', holdsHash: false }],
  [SUB_FILTER.icpBrasil, { profile: 'cades', holdsHash: false }],
  [SUB_FILTER.adobeDetached, { profile: 'cms', holdsHash: false }],
  [SUB_FILTER.adobeSha1, { profile: 'cms', holdsHash: true }],
]);

async function checkSigner(
  structure: Buffer,
  hash: HashOf,
  { profile, holdsHash }: Profile,
  context: ProofContext,
): Promise<Proof> {
  const data = readSignedData(structure);
  const { content } = data;
  // A structure with its own content signs that, and not the file. adbe.pkcs7.sha1 holds the file's hash as content.
  const isOverFile = holdsHash ? content?.equals(hash('sha1')) : content === undefined;
  if (!isOverFile)
    return emptyProof(
      [errorFinding('MessageDigestMismatch', 'The signature is over other content than this file.')],
      context,
    );
  const contentHash = (digest: Digest): Buffer => (content ? hashOf(digest, content) : hash(digest));
  const [report, ...more] =
    data.signers.length === 1
      ? await verifySigners(data, {
          ...context,
          contentHash,
          contentStart: content ?? context.contentStart,
          profile,
        })
      : [];
  if (!report || more.length)
    return emptyProof(
      [errorFinding('DecodeError', `A PDF signature has one signer; this one has ${data.signers.length}.`)],
      context,
    );
  const { countersignatures: _, ...proof } = report;
  if (!holdsHash) return proof;
  // The signer signed the SHA-1 hash, whatever digest the signature uses.
  return withFindings(proof, weaknessFindings({ key: undefined, digests: ['sha1'] }, proof.judgedAtMs));
}

const UNSIGNED_REST = warningFinding(
  'DecodeError',
  'Bytes that nobody signed follow the signature in /Contents. No reader shows them.',
);

function withFindings({ results, valid, ...proof }: Proof, findings: readonly Finding[]): Proof {
  const { errors, warnings } = resultsOf(findings);
  return {
    ...proof,
    valid: valid && errors.length === 0,
    results: {
      ...results,
      errors: [...results.errors, ...errors],
      warnings: [...results.warnings, ...warnings],
    },
  };
}

async function checkTimestamp(token: Buffer, hash: HashOf, context: ProofContext): Promise<Proof> {
  const { info, authority, intact, verdict, valid, results } = await verifyTimestamp(token, hash, context);
  return {
    ...emptyProof([], context),
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

// The covered bytes were not checked: they may be intact.
function unsupportedProof(subFilter: string | undefined, context: ProofContext): Proof {
  const kind = subFilter === undefined ? 'It does not say its kind (/SubFilter)' : `Its kind is ${subFilter}`;
  const what = `The signature could not be checked. ${kind}, which is not supported here.`;
  return { ...emptyProof([errorFinding('AlgorithmNotAllowed', what)], context), intact: undefined };
}

/** The proof of a signature that proves nothing, with the reasons. */
export const emptyProof = (findings: readonly Finding[], { atMs }: Pick<ProofContext, 'atMs'>): Proof => ({
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
