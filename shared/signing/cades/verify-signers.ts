import type { Certificate } from '../../pki/certificate.ts';
import { type Checks, newChecks } from '../../pki/path/checks.ts';
import { resultsOf, type ValidationResults } from '../../pki/validation-results.ts';
import { checkSigner } from '../cms/check-signer.ts';
import { evidenceIn } from '../cms/evidence.ts';
import type { CertificateVerdict, Judge } from '../cms/judge.ts';
import { ATTRIBUTE } from '../cms/oids.ts';
import type { SignedData, SignerInfo } from '../cms/read.ts';
import type { Digest } from '../digest.ts';
import type { NamedPolicy, SignaturePolicy } from '../policy.ts';
import type { TimestampReport } from '../timestamp/verify.ts';
import { provenTime, timestampFindings, verifyTimestamps } from './signature-timestamps.ts';
import {
  claimedTime,
  isForSigning,
  policyFindings,
  policyOf,
  timeFindings,
  trustFinding,
} from './signer-rules.ts';

export type SignerReport = {
  readonly certificate: Certificate | undefined;
  /** Undefined when the digest algorithm is not known here. */
  readonly digest: Digest | undefined;
  /** What the signer says; nobody vouches for it. */
  readonly claimedTimeMs: number | undefined;
  readonly timestamps: readonly TimestampReport[];
  /** The earliest time that a good timestamp proves. */
  readonly provenTimeMs: number | undefined;
  /** The content is the one signed, by the key of this certificate; undefined where that could not be checked. */
  readonly intact: boolean | undefined;
  /** Of the certificate at `judgedAtMs`: the proven time, else the time of judgement. */
  readonly verdict: CertificateVerdict | undefined;
  readonly judgedAtMs: number;
  readonly policy: NamedPolicy | undefined;
  /** Signatures over this signature: told, and not checked. */
  readonly countersignatures: number;
  /** Nothing failed. */
  readonly valid: boolean;
  readonly results: ValidationResults;
};

export type VerifyContext = {
  readonly contentHash: (digest: Digest) => Buffer | undefined;
  readonly judge: Judge;
  /** When certificates are judged, unless a timestamp proves an earlier time. */
  readonly atMs: number;
  readonly profile?: 'cades' | 'cms' | undefined;
  /** Policies whose hash is known: a signature that names one of them must carry that hash. */
  readonly policies?: readonly SignaturePolicy[] | undefined;
  /** Beside those in the signature. */
  readonly certificates?: readonly Certificate[] | undefined;
  /** Shared among all the signatures of one file. */
  readonly checks?: Checks | undefined;
};

/**
 * A report on each signer of a SignedData, in its order: for CAdES, and for the CMS inside a PDF signature.
 * @example const reports = await verifySigners(readSignedData(bytes), { contentHash: () => hash, judge, atMs });
 */
export async function verifySigners(data: SignedData, context: VerifyContext): Promise<SignerReport[]> {
  const shared = { ...context, checks: context.checks ?? newChecks() };
  const reports: SignerReport[] = [];
  for (const signer of data.signers) reports.push(await verifySigner(signer, data, shared));
  return reports;
}

async function verifySigner(
  signer: SignerInfo,
  data: SignedData,
  context: VerifyContext & { readonly checks: Checks },
): Promise<SignerReport> {
  const certificates = [...data.certificates, ...(context.certificates ?? [])];
  const { split } = data;
  const check = checkSigner(signer, {
    certificates,
    contentType: split.contentType,
    contentHash: context.contentHash,
    profile: context.profile ?? 'cades',
    checks: context.checks,
  });
  const { certificate, intact } = check;
  const timestamps = intact ? await verifyTimestamps(signer, certificates, context) : [];
  const provenTimeMs = provenTime(timestamps);
  const judgedAtMs = provenTimeMs ?? context.atMs;
  // A signature that does not hold together says nothing of its certificate: looking further would only cost.
  const verdict =
    intact && certificate
      ? await context.judge(certificate, certificates, judgedAtMs, {
          ...evidenceIn(split.crls),
          checks: context.checks,
        })
      : undefined;
  const findings = [
    ...check.findings,
    ...(certificate ? isForSigning(certificate) : []),
    ...(verdict ? [trustFinding(verdict)] : []),
    ...timestampFindings(timestamps),
    ...timeFindings(signer, certificate, provenTimeMs),
    ...policyFindings(signer, context.policies ?? []),
  ];
  return {
    certificate,
    digest: signer.digest,
    claimedTimeMs: claimedTime(signer),
    timestamps,
    provenTimeMs,
    intact,
    verdict,
    judgedAtMs,
    policy: policyOf(signer),
    countersignatures: signer.unsigned.get(ATTRIBUTE.countersignature)?.length ?? 0,
    valid: findings.every(({ outcome }) => outcome !== 'errors') && verdict?.status === 'ACTIVE',
    results: resultsOf(findings),
  };
}
