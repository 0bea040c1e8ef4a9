import { type Checks, newChecks } from '../../../pki/path/checks.ts';
import { type Finding, resultsOf } from '../../../pki/validation-results.ts';
import { provenTime, timestampFindings } from '../../cades/signature-timestamps.ts';
import { isForSigning, trustFinding } from '../../cades/signer-rules.ts';
import type { Judge } from '../../cms/judge.ts';
import { type Digest, hashOf } from '../../digest.ts';
import type { SignaturePolicy } from '../../policy.ts';
import { type TimestampReport, verifyTimestamp } from '../../timestamp/verify.ts';
import { ID_ATTRIBUTES } from '../xml/identifiers.ts';
import { type Work, workFor } from '../xml/work.ts';
import type { Facts } from './facts.ts';
import { type Reading, readEach } from './read-each.ts';
import type { XadesReport, XadesSignatureReport } from './report.ts';
import { policyFindings, timeFindings } from './rules.ts';
import { checkSigner, type SignerCheck } from './signer.ts';

export type XadesContext = {
  readonly judge: Judge;
  /** When certificates are judged, unless a timestamp proves an earlier time. */
  readonly atMs: number;
  /** Which attributes are identifiers besides Id, which a signature's own parts have: ID, id and xml:id when not given. */
  readonly idAttributes?: readonly string[] | undefined;
  /** Policies whose hash is known: a signature that names one of them must carry that hash. */
  readonly policies?: readonly SignaturePolicy[] | undefined;
};

/**
 * A report on every signature of a document, with what each covers. A document that is no XML, or a hostile one,
 * is refused with XmlRefused; nothing that a signature holds throws.
 * @example const { valid, signatures } = await verifyXades(xml, { judge, atMs: now() });
 */
export async function verifyXades(document: Uint8Array, context: XadesContext): Promise<XadesReport> {
  const idAttributes = context.idAttributes ? ['Id', ...context.idAttributes] : ID_ATTRIBUTES;
  const work = workFor(document.length);
  const readings = readEach(document, idAttributes, work);
  const checks = newChecks(work.leftUnits);
  const signatures: XadesSignatureReport[] = [];
  for (const reading of readings)
    signatures.push(
      'facts' in reading
        ? await judged(reading, reading.facts, context, { work, checks })
        : unreadable(reading, context),
    );
  return { signatures, valid: signatures.length > 0 && signatures.every(({ valid }) => valid) };
}

function unreadable(reading: Reading & { refusal: Finding }, { atMs }: XadesContext): XadesSignatureReport {
  return {
    path: reading.path,
    id: reading.id,
    covers: [],
    certificate: undefined,
    digest: undefined,
    claimedTimeMs: undefined,
    timestamps: [],
    provenTimeMs: undefined,
    policy: undefined,
    intact: false,
    verdict: undefined,
    judgedAtMs: atMs,
    valid: false,
    results: resultsOf([reading.refusal]),
  };
}

const isClean = (findings: readonly Finding[]): boolean =>
  findings.every(({ outcome }) => outcome !== 'errors');

async function judged(
  { path, id }: Pick<Reading, 'path' | 'id'>,
  facts: Facts,
  context: XadesContext,
  { work, checks }: { readonly work: Work; readonly checks: Checks },
): Promise<XadesSignatureReport> {
  const signer = checkSigner(facts, work);
  const { certificate, certificates } = signer;
  const integrity = [...facts.findings, ...signer.findings];
  const intact = isClean(integrity);
  const timestamps = intact ? await verifyStamps(facts, signer, context, checks) : [];
  const provenTimeMs = provenTime(timestamps);
  const judgedAtMs = provenTimeMs ?? context.atMs;
  // A signature that does not hold together says nothing of its certificate: looking further would only cost.
  const verdict =
    intact && certificate
      ? await context.judge(certificate, certificates, judgedAtMs, { ...facts.evidence, checks })
      : undefined;
  const claimedTimeMs = facts.properties?.signingTimeMs;
  const policy = facts.properties?.policy;
  const findings = [
    ...integrity,
    ...(certificate ? isForSigning(certificate) : []),
    ...(verdict ? [trustFinding(verdict)] : []),
    ...timestampFindings(timestamps),
    ...(certificate ? timeFindings(claimedTimeMs, provenTimeMs, certificate) : []),
    ...policyFindings(policy, context.policies ?? []),
  ];
  return {
    path,
    id,
    covers: facts.covers,
    certificate,
    digest: facts.method.digest,
    claimedTimeMs,
    timestamps,
    provenTimeMs,
    policy,
    intact,
    verdict,
    judgedAtMs,
    valid: isClean(findings) && verdict?.status === 'ACTIVE',
    results: resultsOf(findings),
  };
}

async function verifyStamps(
  facts: Facts,
  { certificates }: SignerCheck,
  { judge, atMs }: XadesContext,
  checks: Checks,
): Promise<TimestampReport[]> {
  const reports: TimestampReport[] = [];
  for (const { token, over } of facts.stamps) {
    const imprint = (digest: Digest): Buffer => hashOf(digest, over);
    reports.push(await verifyTimestamp(token, imprint, { judge, atMs, certificates, checks }));
  }
  return reports;
}
