import { type Certificate, CertificateMalformed } from '../../certificate/certificate.ts';
import { crlDistributionPoints, type DistributionPoint } from '../../extensions/locations.ts';
import { displayNameOf, formatTime } from '../../findings/display.ts';
import { type Finding, warningFinding } from '../../findings/validation-results.ts';
import { sameName } from '../../name/match.ts';
import type { Path } from '../../path/validate.ts';
import { type Crl, CrlMalformed } from '../crl/crl.ts';
import { findEntry, findUnknownCriticalEntry } from '../crl/entries.ts';
import { findUnknownCritical } from '../crl/extensions.ts';
import { impliedPoint, isDelta, isDeltaOf, reasonsCovered } from '../crl/scope.ts';
import { type Freshness, freshnessOf } from '../freshness.ts';
import { ALL_REASON_FLAGS, type Revocation } from '../reasons.ts';
import {
  type Evidence,
  joinEvidence,
  NO_EVIDENCE,
  type RevocationContext,
  type RevocationOutcome,
} from './context.ts';
import { findSigner } from './crl-signer.ts';

/** One CRL that covers the certificate, with its delta CRL. */
type Candidate = {
  readonly crl: Crl;
  readonly reasons: ReadonlySet<number>;
  readonly freshness: Freshness;
  readonly isAssumed: boolean;
  readonly entry: Revocation | undefined;
  readonly dates: Crl;
  readonly evidence: Evidence;
};

/**
 * The status of the path's target by these CRLs (RFC 5280, 6.3). Reasons that no CRL covers leave it unknown.
 */
export async function statusByCrls(
  path: Path,
  crls: readonly Crl[],
  context: RevocationContext,
): Promise<RevocationOutcome> {
  const problems: Finding[] = [];
  const candidates: Candidate[] = [];
  for (const crl of crls.filter((one) => !isDelta(one))) {
    const telling = await readOrExplain(crl, () => evaluateCrl(crl, path, crls, context));
    if (typeof telling === 'string') problems.push(unusableFinding(crl, telling));
    else if (telling) candidates.push(telling);
  }
  return conclude(path[0], candidates.toSorted(byPreference), problems, context);
}

async function evaluateCrl(
  crl: Crl,
  path: Path,
  crls: readonly Crl[],
  context: RevocationContext,
): Promise<Candidate | string | undefined> {
  const reasons = reasonsCoveredFor(crl, path[0]);
  if (reasons.size === 0) return undefined;
  const defect = defectOf(crl);
  if (defect) return defect;
  const signer = await findSigner(crl, path, context);
  if ('problem' in signer) return signer.problem;
  const delta = await findDelta(crl, path, crls, context);
  const [dates, freshness] = pickFresher(crl, delta?.crl, context);
  if (freshness === 'from the future')
    return `it was issued on ${formatTime(crl.thisUpdateMs)}, which is in the future`;
  const used = [crl, ...(delta ? [delta.crl] : [])];
  const evidence = joinEvidence([
    { ...NO_EVIDENCE, crls: used },
    signer.evidence,
    delta?.evidence ?? NO_EVIDENCE,
  ]);
  const entry = findEffectiveEntry(crl, delta?.crl, path[0]);
  return { crl, reasons, freshness, isAssumed: signer.isAssumed, entry, dates, evidence };
}

function reasonsCoveredFor(crl: Crl, certificate: Certificate): ReadonlySet<number> {
  const points: DistributionPoint[] = [...crlDistributionPoints(certificate), impliedPoint(certificate)];
  return points.reduce<ReadonlySet<number>>(
    (all, point) => all.union(reasonsCovered(crl, certificate, point)),
    new Set(),
  );
}

function defectOf(crl: Crl): string | undefined {
  const unknown = findUnknownCritical(crl) ?? findUnknownCriticalEntry(crl);
  return unknown && `it has the critical extension ${unknown}, which is unknown here`;
}

type Delta = { readonly crl: Crl; readonly evidence: Evidence };

async function findDelta(
  complete: Crl,
  path: Path,
  crls: readonly Crl[],
  context: RevocationContext,
): Promise<Delta | undefined> {
  const newestFirst = crls
    .filter((crl) => isDeltaOf(crl, complete) && !defectOf(crl))
    .filter((crl) => ['fresh', 'late'].includes(freshnessOf(crl, context)))
    .toSorted((a, b) => b.thisUpdateMs - a.thisUpdateMs);
  for (const crl of newestFirst) {
    const signer = await findSigner(crl, path, context);
    if (!('problem' in signer) && !signer.isAssumed) return { crl, evidence: signer.evidence };
  }
  return undefined;
}

const FRESHNESS_RANK: Readonly<Record<Freshness, number>> = {
  fresh: 0,
  late: 1,
  old: 2,
  'from the future': 3,
};

function pickFresher(
  crl: Crl,
  delta: Crl | undefined,
  context: RevocationContext,
): readonly [Crl, Freshness] {
  const own = freshnessOf(crl, context);
  const newer = delta && freshnessOf(delta, context);
  return delta && newer && FRESHNESS_RANK[newer] <= FRESHNESS_RANK[own] ? [delta, newer] : [crl, own];
}

function findEffectiveEntry(
  crl: Crl,
  delta: Crl | undefined,
  certificate: Certificate,
): Revocation | undefined {
  const change = delta && findEntry(delta, certificate);
  const entry = change ?? findEntry(crl, certificate);
  return entry?.reason === 'removeFromCRL' ? undefined : entry;
}

// CRLs without an assumed signer first, then fresh ones, then newer ones.
const byPreference = (a: Candidate, b: Candidate): number =>
  Number(a.isAssumed) - Number(b.isAssumed) ||
  FRESHNESS_RANK[a.freshness] - FRESHNESS_RANK[b.freshness] ||
  b.crl.thisUpdateMs - a.crl.thisUpdateMs;

function conclude(
  certificate: Certificate,
  tellings: readonly Candidate[],
  problems: Finding[],
  { atMs }: RevocationContext,
): RevocationOutcome {
  let covered: ReadonlySet<number> = new Set();
  const used: Candidate[] = [];
  for (const telling of tellings) {
    const { crl, entry, evidence, reasons, freshness } = telling;
    const adds = !reasons.isSubsetOf(covered);
    // certificateHold can be lifted (RFC 5280, 5.3.1), so an old CRL does not prove it. Every other reason is final.
    const counts = entry && (entry.reason !== 'certificateHold' || (adds && freshness !== 'old'));
    if (counts && entry.revokedAtMs <= atMs)
      return { status: 'revoked', by: 'CRL', revocation: entry, evidence };
    const complaint = objectionTo(telling, certificate);
    if (complaint) problems.push(unusableFinding(crl, complaint));
    else if (adds) {
      covered = covered.union(reasons);
      used.push(telling);
    }
  }
  const [first] = used;
  if (!first) return { status: 'unknown', problems };
  if (!ALL_REASON_FLAGS.isSubsetOf(covered))
    return { status: 'unknown', problems: [...problems, ONLY_SOME_REASONS] };
  return {
    status: 'good',
    by: 'CRL',
    isLate: used.some(({ freshness }) => freshness !== 'fresh'),
    thisUpdateMs: first.dates.thisUpdateMs,
    nextUpdateMs: first.dates.nextUpdateMs,
    evidence: joinEvidence(used.map(({ evidence }) => evidence)),
  };
}

function objectionTo(
  { crl, dates, freshness, isAssumed }: Candidate,
  { issuer, notAfterMs }: Certificate,
): string | undefined {
  // The CA may name a separate CRL issuer, whose CRL covers that issuer too. Another key under the CA's own name has no
  // such appointment: it would only vouch for itself.
  if (isAssumed && sameName(crl.issuer, issuer)) return 'its signer would vouch for itself';
  if (freshness === 'old')
    return `newer data was due on ${formatTime(dates.nextUpdateMs ?? dates.thisUpdateMs)}`;
  if (dates.thisUpdateMs > notAfterMs)
    return 'it was issued after the certificate expired, when revoked ones are no longer listed';
  return undefined;
}

const ONLY_SOME_REASONS = warningFinding(
  'InvalidCrl',
  'The revocation lists at hand cover only some of the revocation reasons.',
);

const unusableFinding = (crl: Crl, why: string): Finding =>
  warningFinding(
    'InvalidCrl',
    `The revocation list of ${displayNameOf(crl.issuer)} of ${formatTime(crl.thisUpdateMs)} is not used: ${why}.`,
  );

async function readOrExplain<T>(crl: Crl, read: () => Promise<T>): Promise<T | string> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof CrlMalformed || error instanceof CertificateMalformed)
      return `${crl.entries ? 'it or a certificate it concerns' : 'it'} cannot be read (${error.message})`;
    throw error;
  }
}
