import { logger } from '../../../shared/log/logger.ts';
import type { Certificate } from '../../../shared/pki/certificate/certificate.ts';
import { TrustAnchorsUnusable } from '../../../shared/pki/trust-anchors.ts';
import { createSignerJudge } from '../../../shared/pki/verdict/certificate-judge.ts';
import type { CertificateStatus } from '../../../shared/pki/verdict/judgement.ts';
import { collection, type Stored } from '../../../shared/store/collection.ts';
import { AlreadyExists, RaceLost } from '../../../shared/store/refusals.ts';
import { retryOnConflict } from '../../../shared/store/retry-on-conflict.ts';
import { shards } from '../../../shared/store/shards.ts';
import { settings } from '../settings.ts';

/** The last verdict on a certificate, in either custody. */
export type Verdict = {
  readonly sha256: string;
  readonly der: Uint8Array;
  readonly status: CertificateStatus;
  readonly judgedAtMs: number;
  /** When it was last ACTIVE by revocation data that was up to date. */
  readonly activeAtMs: number | null;
};

const dueShards = shards('VERDICTS', 8);

/** The partitions of the due index that hold verdicts to renew. */
export const DUE_VERDICTS: readonly string[] = dueShards.all;

export const verdicts = collection<Verdict, string>({
  service: 'session',
  name: 'verdict',
  id: ({ sha256 }) => sha256,
  key: (sha256) => ({ pk: `VERDICT#${sha256}`, sk: 'VERDICT' }),
  indexed: (verdict) => ({ duePk: dueShards.of(verdict.sha256), dueAt: renewableAtMs(verdict) }),
});

/** The time from which the worker renews a verdict. */
export const renewableAtMs = ({ judgedAtMs }: Verdict): number => judgedAtMs + revalidationMs();

const revalidationMs = (): number => settings['Vault:RevalidationInterval'] * 1000;
const graceMs = (): number => settings['Certificates:Validation:RevocationGraceWindow'] * 1000;
const judgeSigner = createSignerJudge('session', settings);

/**
 * Judges a certificate and stores the verdict. While revocation data is out of reach, an ACTIVE certificate stays
 * ACTIVE for the grace window; after that it is STALE.
 */
export async function renewVerdict(certificate: Certificate, nowMs: number): Promise<Verdict> {
  const { sha256, der } = certificate;
  const judged = await judge(certificate, nowMs);
  // Not stored: it says nothing about the certificate, and changes as soon as an operator sets a root.
  if (!judged) return { sha256, der, status: 'UNTRUSTED', judgedAtMs: nowMs, activeAtMs: null };
  const { status, results } = judged;
  // The judge tolerates late data for a while by itself. Such a verdict must not start the grace window anew.
  const isLate = results.warnings.some(({ type }) => type === 'CertificateRevocationStatusUnknown');
  return storeVerdict(sha256, nowMs, (before) => {
    const known = before?.activeAtMs ?? null;
    const wasActiveAtMs = known !== null && isAhead(known, nowMs) ? null : known;
    const activeAtMs = status === 'ACTIVE' && !isLate ? nowMs : wasActiveAtMs;
    const isInGrace = status === 'STALE' && activeAtMs !== null && nowMs - activeAtMs <= graceMs();
    return { sha256, der, status: isInGrace ? 'ACTIVE' : status, judgedAtMs: nowMs, activeAtMs };
  });
}

/** A deployment without a trust anchor trusts no certificate. The log tells its operator why. */
async function judge(certificate: Certificate, nowMs: number) {
  try {
    return await judgeSigner(certificate, nowMs);
  } catch (error) {
    if (!(error instanceof TrustAnchorsUnusable)) throw error;
    logger('session').error('No certificate can be trusted: set Certificates:TrustAnchors.', { error });
    return undefined;
  }
}

// Two processes judge one certificate, and the first takes longer:
//
//   first   |--judges: ACTIVE ------------------- stores: older than the stored verdict, dropped --|
//   second       |--judges: REVOKED-- stores --|
//
// The newer verdict stands. One from the future is none: the clock was wrong then, and nobody knows what it was of.
const storeVerdict = (
  sha256: string,
  nowMs: number,
  verdictAfter: (before: Stored<Verdict> | undefined) => Verdict,
): Promise<Verdict> =>
  retryOnConflict(async () => {
    const before = await verdicts.get(sha256);
    if (before && before.judgedAtMs > nowMs && !isAhead(before.judgedAtMs, nowMs)) return before;
    if (before) return verdicts.change(before, verdictAfter(before));
    return verdicts.create(verdictAfter(undefined)).catch((error: unknown) => {
      throw error instanceof AlreadyExists ? new RaceLost(error.message, { cause: error }) : error;
    });
  });

// The clocks of one deployment differ by less.
const CLOCK_SKEW_MS = 60_000;
const isAhead = (timeMs: number, nowMs: number): boolean => timeMs > nowMs + CLOCK_SKEW_MS;

// No signature rests on a verdict that the worker has not renewed for this many intervals.
const MAX_AGE_INTERVALS = 3;

/** The verdict that was read with its certificate, or a new one where there is none or it is too old. */
export async function currentVerdict(
  known: Verdict | undefined,
  certificate: Certificate,
  nowMs: number,
): Promise<Verdict> {
  const isFresh =
    known &&
    nowMs - known.judgedAtMs <= MAX_AGE_INTERVALS * revalidationMs() &&
    !isAhead(known.judgedAtMs, nowMs);
  const hasRunOut = known?.status === 'ACTIVE' && certificate.notAfterMs <= nowMs;
  return isFresh && !hasRunOut ? known : renewVerdict(certificate, nowMs);
}
