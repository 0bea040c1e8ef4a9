import { type Certificate, CertificateMalformed } from '../../certificate/certificate.ts';
import { crlDistributionPoints, type DistributionPoint } from '../../extensions/locations.ts';
import { calledName, formatTime } from '../../findings/display.ts';
import { type Finding, warningFinding } from '../../findings/validation-results.ts';
import { sameName } from '../../name/match.ts';
import type { Path } from '../../path/validate.ts';
import { type Crl, CrlMalformed } from '../crl/crl.ts';
import { continues, isDelta } from '../crl/delta.ts';
import { entryFor, unknownCriticalEntry } from '../crl/entries.ts';
import { unknownCritical } from '../crl/extensions.ts';
import { impliedPoint, reasonsCovered } from '../crl/scope.ts';
import { type Freshness, freshnessOf } from '../freshness.ts';
import { ALL_REASON_FLAGS, type Revocation } from '../reasons.ts';
import type { RevocationContext } from './context.ts';
import { signerOf } from './crl-signer.ts';
import { type Evidence, joinEvidence, NO_EVIDENCE, type RevocationOutcome } from './outcome.ts';

/** One CRL that tells of the certificate, with the delta that continues it. */
type Telling = {
  readonly crl: Crl;
  readonly reasons: ReadonlySet<number>;
  readonly freshness: Freshness;
  readonly isAssumed: boolean;
  readonly entry: Revocation | undefined;
  readonly dates: Crl;
  readonly evidence: Evidence;
};

/**
 * What these CRLs say of the path's target (RFC 5280, 6.3). Reasons that no CRL covers leave the status unknown.
 */
export async function statusByCrls(
  path: Path,
  crls: readonly Crl[],
  context: RevocationContext,
): Promise<RevocationOutcome> {
  const problems: Finding[] = [];
  const tellings: Telling[] = [];
  for (const crl of crls.filter((one) => !isDelta(one))) {
    const telling = await readable(crl, () => tellingOf(crl, path, crls, context));
    if (typeof telling === 'string') problems.push(unusable(crl, telling));
    else if (telling) tellings.push(telling);
  }
  return concluded(path[0], tellings.toSorted(byWorth), problems, context);
}

async function tellingOf(
  crl: Crl,
  path: Path,
  crls: readonly Crl[],
  context: RevocationContext,
): Promise<Telling | string | undefined> {
  const reasons = reasonsIn(crl, path[0]);
  if (reasons.size === 0) return undefined;
  const defect = defectOf(crl);
  if (defect) return defect;
  const signer = await signerOf(crl, path, context);
  if ('problem' in signer) return signer.problem;
  const delta = await deltaOf(crl, path, crls, context);
  const [dates, freshness] = fresher(crl, delta?.crl, context);
  if (freshness === 'from the future')
    return `it was issued on ${formatTime(crl.thisUpdateMs)}, which is still to come`;
  const used = [crl, ...(delta ? [delta.crl] : [])];
  const evidence = joinEvidence([
    { ...NO_EVIDENCE, crls: used },
    signer.evidence,
    delta?.evidence ?? NO_EVIDENCE,
  ]);
  const entry = entryIn(crl, delta?.crl, path[0]);
  return { crl, reasons, freshness, isAssumed: signer.isAssumed, entry, dates, evidence };
}

function reasonsIn(crl: Crl, certificate: Certificate): ReadonlySet<number> {
  const points: DistributionPoint[] = [...crlDistributionPoints(certificate), impliedPoint(certificate)];
  return points.reduce<ReadonlySet<number>>(
    (all, point) => all.union(reasonsCovered(crl, certificate, point)),
    new Set(),
  );
}

function defectOf(crl: Crl): string | undefined {
  const unknown = unknownCritical(crl) ?? unknownCriticalEntry(crl);
  return unknown && `it has the critical extension ${unknown}, which is not known here`;
}

type Delta = { readonly crl: Crl; readonly evidence: Evidence };

async function deltaOf(
  complete: Crl,
  path: Path,
  crls: readonly Crl[],
  context: RevocationContext,
): Promise<Delta | undefined> {
  const newestFirst = crls
    .filter((crl) => continues(crl, complete) && !defectOf(crl))
    .filter((crl) => ['fresh', 'late'].includes(freshnessOf(crl, context)))
    .toSorted((a, b) => b.thisUpdateMs - a.thisUpdateMs);
  for (const crl of newestFirst) {
    const signer = await signerOf(crl, path, context);
    if (!('problem' in signer) && !signer.isAssumed) return { crl, evidence: signer.evidence };
  }
  return undefined;
}

const RANK: Readonly<Record<Freshness, number>> = { fresh: 0, late: 1, old: 2, 'from the future': 3 };

function fresher(crl: Crl, delta: Crl | undefined, context: RevocationContext): readonly [Crl, Freshness] {
  const own = freshnessOf(crl, context);
  const newer = delta && freshnessOf(delta, context);
  return delta && newer && RANK[newer] <= RANK[own] ? [delta, newer] : [crl, own];
}

function entryIn(crl: Crl, delta: Crl | undefined, certificate: Certificate): Revocation | undefined {
  const change = delta && entryFor(delta, certificate);
  const entry = change ?? entryFor(crl, certificate);
  return entry?.reason === 'removeFromCRL' ? undefined : entry;
}

// What needs no assumption goes first, then what is in time, then what is newer.
const byWorth = (a: Telling, b: Telling): number =>
  Number(a.isAssumed) - Number(b.isAssumed) ||
  RANK[a.freshness] - RANK[b.freshness] ||
  b.crl.thisUpdateMs - a.crl.thisUpdateMs;

function concluded(
  certificate: Certificate,
  tellings: readonly Telling[],
  problems: Finding[],
  { atMs }: RevocationContext,
): RevocationOutcome {
  let covered: ReadonlySet<number> = new Set();
  const used: Telling[] = [];
  for (const telling of tellings) {
    const { crl, entry, evidence, reasons, freshness } = telling;
    const adds = !reasons.isSubsetOf(covered);
    // A hold can be lifted, so an old list is no proof of it. Nothing else is ever taken back.
    const counts = entry && (entry.reason !== 'certificateHold' || (adds && freshness !== 'old'));
    if (counts && entry.revokedAtMs <= atMs)
      return { status: 'revoked', by: 'CRL', revocation: entry, evidence };
    const complaint = noProof(telling, certificate);
    if (complaint) problems.push(unusable(crl, complaint));
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

function noProof(
  { crl, dates, freshness, isAssumed }: Telling,
  { issuer, notAfterMs }: Certificate,
): string | undefined {
  // An authority may name a signer of lists who tells of itself too. A further key of its own name is not named so.
  if (isAssumed && sameName(crl.issuer, issuer)) return 'its signer would vouch for itself';
  if (freshness === 'old')
    return `newer data was due on ${formatTime(dates.nextUpdateMs ?? dates.thisUpdateMs)}`;
  if (dates.thisUpdateMs > notAfterMs)
    return 'it was issued after the certificate expired, when revoked ones are no longer listed';
  return undefined;
}

const ONLY_SOME_REASONS = warningFinding(
  'InvalidCrl',
  'The revocation lists at hand tell only of some reasons for which certificates are revoked.',
);

const unusable = (crl: Crl, why: string): Finding =>
  warningFinding(
    'InvalidCrl',
    `The revocation list of ${calledName(crl.issuer)} of ${formatTime(crl.thisUpdateMs)} is not used: ${why}.`,
  );

async function readable<T>(crl: Crl, read: () => Promise<T>): Promise<T | string> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof CrlMalformed || error instanceof CertificateMalformed)
      return `${crl.entries ? 'it or a certificate it concerns' : 'it'} cannot be read (${error.message})`;
    throw error;
  }
}
