import type { Budget } from '../../../bounds/budget.ts';
import { errorFinding, type Finding, resultsOf } from '../../../pki/findings/validation-results.ts';
import { type Checks, newChecks } from '../../../pki/path/checks.ts';
import { type CheckSummary, combineChecks } from '../../cms/integrity.ts';
import type { Judge } from '../../cms/judge.ts';
import type { SignaturePolicy } from '../../cms/policy.ts';
import { keyUsageFindings, policyFindings, timeFindings, trustFinding } from '../../cms/signer-rules.ts';
import { weaknessFindings } from '../../cms/weak-algorithms.ts';
import { createXmlBudget } from '../xml/budget.ts';
import { ID_ATTRIBUTES } from '../xml/identifiers.ts';
import { concludeCoverage } from './document-coverage.ts';
import type { SignatureFacts } from './facts.ts';
import { type Reading, readSignatures } from './read-signatures.ts';
import type { XadesReport, XadesSignatureReport } from './report.ts';
import { checkSigner } from './signer.ts';
import { judgeTimestamps, type Timestamps } from './timestamps.ts';

export type XadesContext = {
  readonly judge: Judge;
  /** When certificates are judged, unless a timestamp proves an earlier time. */
  readonly atMs: number;
  /** Attributes that are identifiers, besides Id. The default is ID, id and xml:id. */
  readonly idAttributes?: readonly string[] | undefined;
  /** Policies with a known hash. A signature that names one must carry that hash. */
  readonly policies?: readonly SignaturePolicy[] | undefined;
  /**
   * Selectors of the elements that must be covered: `#id`, a name (`infNFe`) or a path (`/lote/nota[2]`). Every match
   * must be covered. The default is the whole document.
   */
  readonly covers?: readonly string[] | undefined;
};

/**
 * Reports on every signature of a document and on what each covers. Throws XmlRefused for a document that is not XML or
 * is hostile, and nothing for the content of a signature.
 * @example const { valid, signatures } = await verifyXades(xml, { judge, atMs: now(), covers: ['infNFe'] });
 */
export async function verifyXades(document: Uint8Array, context: XadesContext): Promise<XadesReport> {
  const idAttributes = context.idAttributes ? ['Id', ...context.idAttributes] : ID_ATTRIBUTES;
  const budget = createXmlBudget(document.length);
  const { readings, coverage: claim } = readSignatures(
    document,
    { idAttributes, covers: context.covers ?? [] },
    budget,
  );
  const checks = newChecks(budget.leftUnits);
  const signatures: XadesSignatureReport[] = [];
  for (const reading of readings)
    signatures.push(
      'facts' in reading
        ? await judgeSignature(reading, reading.facts, context, { budget, checks })
        : reportUnreadable(reading, context),
    );
  const intact = new Set(signatures.flatMap((signature, at) => (signature.intact ? [at] : [])));
  const { coverage, findings } = concludeCoverage(claim, intact);
  return {
    signatures,
    coverage,
    valid: signatures.length > 0 && signatures.every(({ valid }) => valid) && coverage.isComplete,
    results: resultsOf(signatures.length ? findings : [NO_SIGNATURE]),
  };
}

const NO_SIGNATURE = errorFinding('DecodeError', 'The XML document holds no signature.');

function reportUnreadable(
  { path, id, refusal }: Reading & { refusal: CheckSummary },
  { atMs }: XadesContext,
): XadesSignatureReport {
  return {
    ...{ path, id },
    covers: [],
    isDetached: false,
    certificate: undefined,
    digest: undefined,
    claimedTimeMs: undefined,
    timestamps: [],
    archiveTimestamps: [],
    countersigns: undefined,
    provenTimeMs: undefined,
    policy: undefined,
    intact: refusal.intact,
    verdict: undefined,
    judgedAtMs: atMs,
    valid: false,
    results: resultsOf(refusal.findings),
  };
}

const NO_TIMESTAMPS: Timestamps = {
  timestamps: [],
  archiveTimestamps: [],
  provenTimeMs: undefined,
  findings: [],
};

const isClean = (findings: readonly Finding[]): boolean =>
  findings.every(({ outcome }) => outcome !== 'errors');

async function judgeSignature(
  { path, id }: Pick<Reading, 'path' | 'id'>,
  facts: SignatureFacts,
  { judge, atMs, policies = [] }: XadesContext,
  { budget, checks }: { readonly budget: Budget; readonly checks: Checks },
): Promise<XadesSignatureReport> {
  const signer = checkSigner(facts, budget);
  const { certificate, certificates } = signer;
  const { intact, findings: integrity } = combineChecks([facts.content, signer]);
  const { timestamps, archiveTimestamps, provenTimeMs, ...stamped } = intact
    ? await judgeTimestamps(facts, { judge, atMs, certificates, budget, checks })
    : NO_TIMESTAMPS;
  const judgedAtMs = provenTimeMs ?? atMs;
  // A signature that is not intact proves nothing about its certificate. Judging it would let anyone cause work.
  const verdict =
    intact && certificate
      ? await judge(certificate, certificates, judgedAtMs, { ...facts.evidence, checks })
      : undefined;
  const digests = [facts.method?.digest, ...facts.digests];
  const claimedTimeMs = facts.properties?.signingTimeMs;
  const policy = facts.properties?.policy;
  const findings = [
    ...integrity,
    ...(intact ? weaknessFindings({ key: certificate?.publicKey, digests }, judgedAtMs) : []),
    ...facts.findings,
    ...(certificate ? keyUsageFindings(certificate) : []),
    ...(verdict ? [trustFinding(verdict)] : []),
    ...stamped.findings,
    ...(certificate ? timeFindings({ claimedMs: claimedTimeMs, provenMs: provenTimeMs }, certificate) : []),
    ...policyFindings(policy, policies),
  ];
  return {
    ...{ path, id, certificate, claimedTimeMs, timestamps, archiveTimestamps, provenTimeMs, policy },
    ...{ intact, verdict, judgedAtMs },
    covers: facts.covers,
    isDetached: facts.isDetached,
    countersigns: facts.countersigns,
    digest: facts.method?.digest,
    bytes: {
      messageDigest: undefined,
      signatureValue: facts.value,
      hasEvidence: facts.evidence.crls.length + facts.evidence.ocspResponses.length > 0,
    },
    valid: intact === true && isClean(findings) && verdict?.status === 'ACTIVE',
    results: resultsOf(findings),
  };
}
