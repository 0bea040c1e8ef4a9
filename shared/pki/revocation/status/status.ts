import { CertificateMalformed } from '../../certificate/certificate.ts';
import {
  accessAddresses,
  crlDistributionPoints,
  type DistributionPoint,
  freshestCrl,
} from '../../extensions/locations.ts';
import { displayName } from '../../findings/display.ts';
import { type Finding, warningFinding } from '../../findings/validation-results.ts';
import type { Path } from '../../path/validate.ts';
import type { Crl } from '../crl/crl.ts';
import type { FetchResult } from '../source.ts';
import { statusByCrls } from './by-crl.ts';
import { isAuthentic, statusByOcsp } from './by-ocsp.ts';
import type { RevocationContext, RevocationOutcome } from './context.ts';
import { isSignedByOneOf } from './crl-signer.ts';

// A certificate names two or three. Request amplification: more are there to make Sinete call strangers.
const MAX_POINTS = 8;

/**
 * Finds the revocation status of the path's target: from data at hand, then from OCSP responders, then from CRLs.
 * Any revocation counts; fresh data goes before late data. The signer chose the data at hand: data older than the time
 * of judgement counts only when no newer data can be fetched.
 *
 *   CRL at hand  |--------------- nextUpdate
 *                     revoked ^      ^ signed, time of judgement
 */
export async function findRevocationStatus(
  path: Path,
  context: RevocationContext,
): Promise<RevocationOutcome> {
  const problems: Finding[] = [];
  let late: Good | undefined;
  if (context.budget.left-- <= 0) return { status: 'unknown', problems: [tooDeepFinding(path)] };
  try {
    for (const check of [checkAtHand, queryResponders, queryCrls])
      for await (const outcome of check(path, context)) {
        const isOlder =
          check === checkAtHand && outcome.status === 'good' && outcome.thisUpdateMs < context.atMs;
        const isMoreToAsk = isOlder && context.source !== undefined;
        const isSettled = outcome.status === 'good' && !outcome.isLate && !isMoreToAsk;
        if (outcome.status === 'revoked' || isSettled) return outcome;
        if (outcome.status === 'good') late = pickFresher(late, outcome);
        else problems.push(...outcome.problems);
      }
  } catch (error) {
    if (!(error instanceof CertificateMalformed)) throw error;
    problems.push(unreadableFinding(path, error));
  }
  return late ?? { status: 'unknown', problems };
}

type Good = Extract<RevocationOutcome, { status: 'good' }>;

const pickFresher = (one: Good | undefined, other: Good): Good =>
  one && (!one.isLate || other.isLate) ? one : other;

/** Outcomes one by one: no further fetch happens once the status is known. */
type Outcomes = AsyncGenerator<RevocationOutcome, void>;

async function* checkAtHand(path: Path, context: RevocationContext): Outcomes {
  const outcomes: RevocationOutcome[] = [];
  for (const response of context.ocspResponses)
    if (response.statuses.some(({ certificateId }) => certificateId.serialDer.equals(path[0].serialDer)))
      outcomes.push(await statusByOcsp(path, response, context));
  outcomes.push(await statusByCrls(path, context.crls, context));
  // All data at hand is evaluated first, so that `revoked` goes before `good`.
  yield* outcomes.toSorted((a, b) => Number(b.status === 'revoked') - Number(a.status === 'revoked'));
}

async function* queryResponders(path: Path, context: RevocationContext): Outcomes {
  const [certificate, issuer] = path;
  const addresses = accessAddresses(certificate, 'ocsp');
  if (!context.source || !issuer || addresses.length === 0) return;
  const { found, problem } = await context.source.ocsp({
    addresses,
    certificate,
    issuer,
    isAuthentic: (response) => isAuthentic(path, response, context),
    signal: context.signal,
  });
  if (problem)
    yield fetchFailure(`The status of ${displayName(certificate)} could not be fetched by OCSP. ${problem}`);
  if (found) yield await statusByOcsp(path, found, context);
}

async function* queryCrls(path: Path, context: RevocationContext): Outcomes {
  const lists: Crl[] = [];
  for (const point of crlDistributionPoints(path[0]).slice(0, MAX_POINTS)) {
    const { found, problem } = await fetchCrl(point, path, context);
    if (problem)
      yield fetchFailure(`A revocation list for ${displayName(path[0])} could not be fetched. ${problem}`);
    if (!found) continue;
    lists.push(found, ...(await fetchDeltas(found, path, context)));
    yield await statusByCrls(path, [...context.crls, ...lists], context);
  }
}

async function fetchDeltas(list: Crl, path: Path, context: RevocationContext): Promise<Crl[]> {
  const points = [...freshestCrl(path[0]), ...freshestCrl(list)].slice(0, MAX_POINTS);
  const fetched = await Promise.all(points.map((point) => fetchCrl(point, path, context)));
  return fetched.flatMap(({ found }) => (found ? [found] : []));
}

async function fetchCrl(
  point: DistributionPoint,
  path: Path,
  context: RevocationContext,
): Promise<FetchResult<Crl>> {
  const addresses = addressesOf(point);
  if (!context.source || addresses.length === 0) return {};
  const known = [...path, ...context.candidates];
  const isAuthentic = (crl: Crl): boolean => isSignedByOneOf(crl, known, context.settings.checks);
  return context.source.crl({ addresses, isAuthentic, signal: context.signal });
}

const addressesOf = ({ name }: DistributionPoint): string[] =>
  name && 'fullName' in name ? name.fullName.flatMap((n) => (n.kind === 'uri' ? [n.value] : [])) : [];

const fetchFailure = (problem: string): RevocationOutcome => ({
  status: 'unknown',
  problems: [warningFinding('CertificateRevocationStatusUnknown', problem)],
});

const tooDeepFinding = ([certificate]: Path): Finding =>
  warningFinding(
    'CertificateRevocationStatusUnknown',
    `The status of ${displayName(certificate)} depends on too many other certificates to be checked.`,
  );

const unreadableFinding = ([certificate]: Path, error: Error): Finding =>
  warningFinding(
    'DecodeError',
    `The addresses of revocation data for ${displayName(certificate)} cannot be read: ${error.message}`,
  );
