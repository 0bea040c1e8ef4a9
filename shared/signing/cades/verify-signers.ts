import type { Certificate } from '../../pki/certificate/certificate.ts';
import { errorFinding, resultsOf } from '../../pki/findings/validation-results.ts';
import { type Checks, newChecks, tryChargeReading } from '../../pki/path/checks.ts';
import { onlyOctets } from '../cms/attribute-map.ts';
import { checkDirectSigner } from '../cms/check-direct-signer.ts';
import { checkSigner, type SignerCheck } from '../cms/check-signer.ts';
import { readEvidence } from '../cms/evidence.ts';
import type { Judge } from '../cms/judge.ts';
import { ATTRIBUTE } from '../cms/oids.ts';
import type { SignaturePolicy } from '../cms/policy.ts';
import { readSignerInfo, type SignedData, type SignerInfo } from '../cms/read.ts';
import { keyUsageFindings, timeFindings, trustFinding } from '../cms/signer-rules.ts';
import { weaknessFindings } from '../cms/weak-algorithms.ts';
import { type Digest, hashOf } from '../digest.ts';
import { CmsMalformed } from '../errors.ts';
import { archiveTimestampFindings, provenTime, timestampFindings } from '../timestamp/findings.ts';
import { provenAt, verifyArchiveTimestamps } from './archive-timestamps.ts';
import {
  certificateValues,
  checkPolicy,
  claimedTime,
  MAX_COUNTERSIGNATURES,
  policyOf,
  revocationValues,
  unsignedFindings,
} from './attributes.ts';
import { verifyTimestamps } from './signature-timestamps.ts';
import { countersignatureFindings, type SignerReport, unprovenSigner } from './signer-report.ts';

export type { SignerReport };

export type VerifyContext = {
  readonly contentHash: (digest: Digest) => Buffer | undefined;
  /**
   * The first START_BYTES bytes of the content, or all of it. Without them a signature that has no signed attributes
   * stays unchecked (signed-attributes confusion, see check-direct-signer.ts).
   */
  readonly contentStart?: Uint8Array | undefined;
  readonly judge: Judge;
  /** When certificates are judged, unless a timestamp proves an earlier time. */
  readonly atMs: number;
  readonly profile?: 'cades' | 'cms' | undefined;
  /** Policies with a known hash. A signature that names one must carry that hash. */
  readonly policies?: readonly SignaturePolicy[] | undefined;
  /** Certificates beside those in the signature. */
  readonly certificates?: readonly Certificate[] | undefined;
  /** The budget that all the signatures of one file share. */
  readonly checks?: Checks | undefined;
};

/** The context of one signer. `depth` is the number of signatures around a countersignature. */
type Context = VerifyContext & {
  readonly certificates: readonly Certificate[];
  readonly checks: Checks;
  readonly contentType: string | undefined;
  readonly depth: number;
};

// Denial of service: a countersignature may itself be countersigned (RFC 5652, 11.4), without limit.
const MAX_DEPTH = 2;

/**
 * Reports on each signer of a SignedData, in order: for CAdES, and for the CMS inside a PDF signature.
 * @example const reports = await verifySigners(readSignedData(bytes), { contentHash: () => hash, judge, atMs });
 */
export async function verifySigners(data: SignedData, context: VerifyContext): Promise<SignerReport[]> {
  const shared = {
    ...context,
    checks: context.checks ?? newChecks(),
    certificates: [...data.certificates, ...(context.certificates ?? [])],
    contentType: data.split.contentType,
    depth: 0,
  };
  const reports: SignerReport[] = [];
  for (const signer of data.signers) reports.push(await verifySigner(signer, data, shared));
  return reports;
}

async function verifySigner(signer: SignerInfo, data: SignedData, context: Context): Promise<SignerReport> {
  const { checks } = context;
  const certificates = [...context.certificates, ...certificateValues(signer, checks)];
  const crls = [...data.split.crls, ...revocationValues(signer)];
  const check = await checkIntegrity(signer, { ...context, certificates });
  const { certificate } = check;
  // A signature that is not intact proves nothing about its certificate. Judging it would let anyone cause work.
  const isIntact = check.intact === true;
  const stamping = { ...context, certificates, crls, checks };
  // EN 319 122-1, 5.5.3 defines the imprint for a signer of the SignedData, not for a countersignature.
  const archives =
    isIntact && context.depth === 0 ? await verifyArchiveTimestamps(signer, data, stamping) : [];
  const existedAt = ({ raw }: { readonly raw: Buffer }): number =>
    provenAt(archives, ATTRIBUTE.signatureTimestamp, raw) ?? context.atMs;
  const timestamps = isIntact ? await verifyTimestamps(signer, stamping, existedAt) : [];
  const archiveTimestamps = archives.map(({ report }) => report);
  const provenTimeMs = provenTime([...timestamps, ...archiveTimestamps]);
  const judgedAtMs = provenTimeMs ?? context.atMs;
  const verdict =
    isIntact && certificate
      ? await context.judge(certificate, certificates, judgedAtMs, { ...readEvidence(crls), checks })
      : undefined;
  const countersignatures = isIntact ? await verifyCountersignatures(signer, data, context) : [];
  const claimedTimeMs = claimedTime(signer);
  const findings = [
    ...check.findings,
    ...(isIntact
      ? weaknessFindings({ key: certificate?.publicKey, digests: [signer.digest] }, judgedAtMs)
      : []),
    ...(certificate ? keyUsageFindings(certificate) : []),
    ...(verdict ? [trustFinding(verdict)] : []),
    ...archiveTimestampFindings(archiveTimestamps),
    ...timestampFindings(timestamps),
    ...timeFindings({ claimedMs: claimedTimeMs, provenMs: provenTimeMs }, certificate),
    ...checkPolicy(signer, context.policies ?? []),
    ...countersignatureFindings(countersignatures),
    ...unsignedFindings(signer, maxCountersignatures(context)),
  ];
  return {
    certificate,
    digest: signer.digest,
    claimedTimeMs,
    timestamps,
    archiveTimestamps,
    provenTimeMs,
    intact: check.intact,
    verdict,
    judgedAtMs,
    policy: policyOf(signer),
    bytes: {
      messageDigest: onlyOctets(signer.signed, ATTRIBUTE.messageDigest),
      signatureValue: signer.signature,
      hasEvidence: crls.length > 0,
    },
    countersignatures,
    valid: isIntact && findings.every(({ outcome }) => outcome !== 'errors') && verdict?.status === 'ACTIVE',
    results: resultsOf(findings),
  };
}

function checkIntegrity(signer: SignerInfo, context: Context): SignerCheck | Promise<SignerCheck> {
  const { contentStart, profile = 'cades' } = context;
  return signer.signedDer
    ? checkSigner(signer, { ...context, profile })
    : checkDirectSigner(signer, { ...context, contentStart, profile });
}

const maxCountersignatures = ({ depth }: Context): number => (depth < MAX_DEPTH ? MAX_COUNTERSIGNATURES : 0);

/** RFC 5652, 11.4: the content of a countersignature is the signature value of the SignerInfo around it. */
async function verifyCountersignatures(
  { unsigned, signature }: SignerInfo,
  data: SignedData,
  context: Context,
): Promise<SignerReport[]> {
  const over = {
    ...context,
    contentType: undefined,
    contentHash: (digest: Digest) => hashOf(digest, signature),
    contentStart: signature,
    depth: context.depth + 1,
  };
  const reports: SignerReport[] = [];
  const all = unsigned.get(ATTRIBUTE.countersignature) ?? [];
  for (const { raw } of all.slice(0, maxCountersignatures(context)))
    reports.push(await verifyCountersignature(raw, data, over));
  return reports;
}

async function verifyCountersignature(
  raw: Buffer,
  data: SignedData,
  context: Context,
): Promise<SignerReport> {
  const { atMs, checks } = context;
  if (!tryChargeReading(raw.length, checks)) return unprovenSigner(undefined, TOO_MANY, atMs);
  try {
    return await verifySigner(readSignerInfo(raw), data, context);
  } catch (error) {
    if (!(error instanceof CmsMalformed)) throw error;
    const message = `The countersignature cannot be read. ${error.message}`;
    return unprovenSigner(false, errorFinding('DecodeError', message), atMs);
  }
}

const TOO_MANY = errorFinding(
  'SignatureAlgorithmValidationFailed',
  'The countersignature was not checked: the file asks for more checks than one may.',
);
