import type { Budget } from '../../../bounds/budget.ts';
import { errorFinding, type Finding, resultsOf } from '../../../pki/findings/validation-results.ts';
import { type Checks, newChecks } from '../../../pki/path/checks.ts';
import { isForSigning, trustFinding } from '../../cades/signer-rules.ts';
import type { Judge } from '../../cms/judge.ts';
import type { SignaturePolicy } from '../../cms/policy.ts';
import { createXmlBudget } from '../xml/budget.ts';
import { ID_ATTRIBUTES } from '../xml/identifiers.ts';
import { concludeCoverage } from './document-coverage.ts';
import type { Facts } from './facts.ts';
import { type Checked, together } from './intact.ts';
import { type Reading, readEach } from './read-each.ts';
import type { XadesReport, XadesSignatureReport } from './report.ts';
import { policyFindings, timeFindings } from './rules.ts';
import { checkSigner } from './signer.ts';
import { judgeTimestamps, type Timestamps } from './timestamps.ts';

export type XadesContext = {
  readonly judge: Judge;
  /** When certificates are judged, unless a timestamp proves an earlier time. */
  readonly atMs: number;
  /** Which attributes are identifiers besides Id, which a signature's own parts have: ID, id and xml:id when not given. */
  readonly idAttributes?: readonly string[] | undefined;
  /** Policies whose hash is known: a signature that names one of them must carry that hash. */
  readonly policies?: readonly SignaturePolicy[] | undefined;
  /**
   * The elements that must be covered, every one of them: `#id`, a name (`infNFe`) or a path (`/lote/nota[2]`).
   * The whole document when none is named.
   */
  readonly covers?: readonly string[] | undefined;
};

/**
 * A report on every signature of a document, with what each covers. A document that is no XML, or a hostile one,
 * is refused with XmlRefused; nothing that a signature holds throws.
 * @example const { valid, signatures } = await verifyXades(xml, { judge, atMs: now(), covers: ['infNFe'] });
 */
export async function verifyXades(document: Uint8Array, context: XadesContext): Promise<XadesReport> {
  const idAttributes = context.idAttributes ? ['Id', ...context.idAttributes] : ID_ATTRIBUTES;
  const budget = createXmlBudget(document.length);
  const { readings, coverage: claim } = readEach(
    document,
    { idAttributes, covers: context.covers ?? [] },
    budget,
  );
  const checks = newChecks(budget.leftUnits);
  const signatures: XadesSignatureReport[] = [];
  for (const reading of readings)
    signatures.push(
      'facts' in reading
        ? await judged(reading, reading.facts, context, { budget, checks })
        : unreadable(reading, context),
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

function unreadable(
  { path, id, refusal }: Reading & { refusal: Checked },
  { atMs }: XadesContext,
): XadesSignatureReport {
  return {
    ...{ path, id },
    covers: [],
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

async function judged(
  { path, id }: Pick<Reading, 'path' | 'id'>,
  facts: Facts,
  { judge, atMs, policies = [] }: XadesContext,
  { budget, checks }: { readonly budget: Budget; readonly checks: Checks },
): Promise<XadesSignatureReport> {
  const signer = checkSigner(facts, budget);
  const { certificate, certificates } = signer;
  const { intact, findings: integrity } = together([facts.content, signer]);
  const { timestamps, archiveTimestamps, provenTimeMs, ...stamped } = intact
    ? await judgeTimestamps(facts, { judge, atMs, certificates, budget, checks })
    : NO_TIMESTAMPS;
  const judgedAtMs = provenTimeMs ?? atMs;
  // A signature that does not hold together says nothing of its certificate: looking further would only cost.
  const verdict =
    intact && certificate
      ? await judge(certificate, certificates, judgedAtMs, { ...facts.evidence, checks })
      : undefined;
  const claimedTimeMs = facts.properties?.signingTimeMs;
  const policy = facts.properties?.policy;
  const findings = [
    ...integrity,
    ...facts.findings,
    ...(certificate ? isForSigning(certificate) : []),
    ...(verdict ? [trustFinding(verdict)] : []),
    ...stamped.findings,
    ...(certificate ? timeFindings(claimedTimeMs, provenTimeMs, certificate) : []),
    ...policyFindings(policy, policies),
  ];
  return {
    ...{ path, id, certificate, claimedTimeMs, timestamps, archiveTimestamps, provenTimeMs, policy },
    ...{ intact, verdict, judgedAtMs },
    covers: facts.covers,
    countersigns: facts.countersigns,
    digest: facts.method?.digest,
    valid: intact === true && isClean(findings) && verdict?.status === 'ACTIVE',
    results: resultsOf(findings),
  };
}
