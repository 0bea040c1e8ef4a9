import { logger } from '../../../shared/log/logger.ts';
import { maskText } from '../../../shared/log/redact.ts';
import type { Certificate } from '../../../shared/pki/certificate/certificate.ts';
import { allErrors } from '../../../shared/pki/findings/validation-results.ts';
import { TrustAnchorsUnusable } from '../../../shared/pki/trust-anchors.ts';
import { createSignerJudge } from '../../../shared/pki/verdict/certificate-judge.ts';
import type { CertificateStatus, Verdict as Judged } from '../../../shared/pki/verdict/judgement.ts';
import { collection, type Stored } from '../../../shared/store/collection.ts';
import { AlreadyExists, RaceLost } from '../../../shared/store/refusals.ts';
import { retryOnConflict } from '../../../shared/store/retry-on-conflict.ts';
import { shards } from '../../../shared/store/shards.ts';
import { settings } from '../settings.ts';
import { chainOf, type VaultCertificate } from './vault/vault.ts';

/** The last verdict on a certificate, in either custody. */
export type Verdict = {
  readonly sha256: string;
  readonly der: Uint8Array;
  readonly status: CertificateStatus;
  readonly judgedAtMs: number;
  /** When it was last ACTIVE by revocation data that was up to date. */
  readonly activeAtMs: number | null;
  /** What speaks against it, for the operator. */
  readonly reason?: string | undefined;
};

/** A certificate in either custody, with its file where the vault has it. */
type Held = {
  readonly certificate: Certificate;
  readonly file?: Pick<VaultCertificate, 'chain'> | undefined;
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
export async function renewVerdict(held: Held, nowMs: number): Promise<Verdict> {
  const { certificate } = held;
  const { sha256, der } = certificate;
  const judged = await judge(held, nowMs);
  // Not stored: it says nothing about the certificate, and changes as soon as an operator sets a root.
  if (!judged) return { sha256, der, status: 'UNTRUSTED', judgedAtMs: nowMs, activeAtMs: null };
  const status = statusOf(judged, certificate, nowMs);
  const reason = reasonOf(judged);
  // The judge tolerates late data for a while by itself. Such a verdict must not start the grace window anew.
  const isLate = judged.results.warnings.some(({ type }) => type === 'CertificateRevocationStatusUnknown');
  let known: Verdict | undefined;
  const verdict = await storeVerdict(sha256, nowMs, (before) => {
    known = before;
    const lastActiveAtMs = isLate || status === 'STALE' ? lastActiveOf(before, nowMs) : null;
    const activeAtMs = status === 'ACTIVE' && !isLate ? nowMs : lastActiveAtMs;
    const isInGrace = status === 'STALE' && activeAtMs !== null && nowMs - activeAtMs <= graceMs();
    return { sha256, der, status: isInGrace ? 'ACTIVE' : status, judgedAtMs: nowMs, activeAtMs, reason };
  });
  const isNews = verdict.status !== known?.status || known.reason === undefined;
  if (verdict.reason !== undefined && isNews)
    logVerdict('The verdict on a certificate has changed.', verdict);
  return verdict;
}

/** When it was last known to be ACTIVE, by a clock that was right. */
function lastActiveOf(before: Verdict | undefined, nowMs: number): number | null {
  const activeAtMs = before?.activeAtMs ?? null;
  return activeAtMs !== null && isAhead(activeAtMs, nowMs) ? null : activeAtMs;
}

/** Tells the operator what a caller is not told. */
export const logVerdict = (message: string, { sha256, status, reason }: Verdict): void =>
  logger('session').warn(message, { sha256, status, reason });

/** The innermost error, and what stood in its way. */
function reasonOf({ results }: Judged): string | undefined {
  const cause = allErrors(results).at(-1);
  const [inner] = cause?.innerValidationResults?.warnings ?? [];
  return cause && maskText([cause.message, ...(inner ? [inner.message] : [])].join(' '));
}

/** Without the certificate of its issuer, the revocation data of a certificate is out of reach too. */
function statusOf(
  { status, isIssuerOutOfReach }: Judged,
  { notAfterMs }: Certificate,
  nowMs: number,
): CertificateStatus {
  if (!isIssuerOutOfReach) return status;
  return notAfterMs <= nowMs ? 'EXPIRED' : 'STALE';
}

/** A deployment without a trust anchor trusts no certificate. The log tells its operator why. */
async function judge({ certificate, file }: Held, nowMs: number) {
  try {
    return await judgeSigner(certificate, nowMs, { intermediates: file ? chainOf(file) : [] });
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

// These change with what the operator sets and with what can be reached. A caller who comes again is judged again.
const CHANGEABLE: readonly CertificateStatus[] = ['UNTRUSTED', 'STALE'];
const CHANGEABLE_AGE_MS = 60_000;

const maxAgeMs = ({ status }: Verdict): number =>
  CHANGEABLE.includes(status) ? CHANGEABLE_AGE_MS : MAX_AGE_INTERVALS * revalidationMs();

/** The verdict that was read with its certificate, or a new one where there is none or it is too old. */
export async function currentVerdict(
  known: Verdict | undefined,
  held: Held,
  nowMs: number,
): Promise<Verdict> {
  const isFresh = known && nowMs - known.judgedAtMs <= maxAgeMs(known) && !isAhead(known.judgedAtMs, nowMs);
  const hasRunOut = known?.status === 'ACTIVE' && held.certificate.notAfterMs <= nowMs;
  return isFresh && !hasRunOut ? known : renewVerdict(held, nowMs);
}
