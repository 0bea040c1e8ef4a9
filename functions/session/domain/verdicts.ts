import { logger } from '../../../shared/log/logger.ts';
import type { Certificate } from '../../../shared/pki/certificate/certificate.ts';
import { TrustAnchorsUnusable } from '../../../shared/pki/trust-anchors.ts';
import { createSignerJudge } from '../../../shared/pki/verdict/certificate-judge.ts';
import type { CertificateStatus } from '../../../shared/pki/verdict/judgement.ts';
import { collection, type Stored } from '../../../shared/store/collection.ts';
import { AlreadyExists, RaceLost } from '../../../shared/store/refusals.ts';
import { settings } from '../settings.ts';

/** What was last found of a certificate, in either custody. */
export type Verdict = {
  readonly sha256: string;
  readonly der: Uint8Array;
  readonly status: CertificateStatus;
  readonly judgedAtMs: number;
  /** When it was last found ACTIVE by revocation data that was not past its time. */
  readonly activeAtMs: number | null;
};

/** The partition of the due index in which verdicts wait to be renewed. */
export const DUE_VERDICTS = 'VERDICTS';

export const verdicts = collection<Verdict, string>({
  service: 'session',
  name: 'verdict',
  id: ({ sha256 }) => sha256,
  key: (sha256) => ({ pk: `VERDICT#${sha256}`, sk: 'VERDICT' }),
  indexed: ({ judgedAtMs }) => ({ duePk: DUE_VERDICTS, dueAt: judgedAtMs + revalidationMs() }),
});

const revalidationMs = (): number => settings['Vault:RevalidationInterval'] * 1000;
const graceMs = (): number => settings['Certificates:Validation:RevocationGraceWindow'] * 1000;
const judgeSigner = createSignerJudge('session', settings);

/**
 * Judges a certificate and keeps what was found. While revocation data is out of reach, one that was ACTIVE stays so
 * for the grace window; after that it is STALE.
 */
export async function renewVerdict(certificate: Certificate, nowMs = Date.now()): Promise<Verdict> {
  const { sha256, der } = certificate;
  const judged = await judgement(certificate, nowMs);
  // Not kept: it says nothing of the certificate, and is over as soon as somebody names a root.
  if (!judged) return { sha256, der, status: 'UNTRUSTED', judgedAtMs: nowMs, activeAtMs: null };
  const { status, results } = judged;
  // The judge bears late data for a while by itself: what it finds by that begins no grace of its own.
  const isLate = results.warnings.some(({ type }) => type === 'CertificateRevocationStatusUnknown');
  return keep(sha256, nowMs, (before) => {
    const activeAtMs = status === 'ACTIVE' && !isLate ? nowMs : (before?.activeAtMs ?? null);
    const isInGrace = status === 'STALE' && activeAtMs !== null && nowMs - activeAtMs <= graceMs();
    return { sha256, der, status: isInGrace ? 'ACTIVE' : status, judgedAtMs: nowMs, activeAtMs };
  });
}

/** A deployment that trusts no root trusts no certificate. Its operator is told why. */
async function judgement(certificate: Certificate, nowMs: number) {
  try {
    return await judgeSigner(certificate, nowMs);
  } catch (error) {
    if (!(error instanceof TrustAnchorsUnusable)) throw error;
    logger('session').error('No certificate can be trusted: set Certificates:TrustAnchors.', { error });
    return undefined;
  }
}

// Two judge one certificate, and the one that began first takes longer:
//
//   one    |--judges: ACTIVE ------------------------- keeps: an older verdict, refused --|
//   other       |--judges: REVOKED-- keeps --|
//
// The newer verdict stands.
async function keep(
  sha256: string,
  nowMs: number,
  found: (before: Stored<Verdict> | undefined) => Verdict,
): Promise<Verdict> {
  for (;;) {
    const before = await verdicts.get(sha256);
    if (before && before.judgedAtMs > nowMs) return before;
    try {
      return await (before ? verdicts.change(before, found(before)) : verdicts.create(found(undefined)));
    } catch (error) {
      if (!(error instanceof RaceLost || error instanceof AlreadyExists)) throw error;
    }
  }
}

// A verdict that the scheduled worker did not renew for so many intervals is not one to sign on.
const FRESH_INTERVALS = 3;

/** What is known of a certificate; judged now where nothing is, or nothing fresh. */
export async function verdictOf(certificate: Certificate, nowMs = Date.now()): Promise<Verdict> {
  const known = await verdicts.get(certificate.sha256);
  const isFresh = known && nowMs - known.judgedAtMs <= FRESH_INTERVALS * revalidationMs();
  const hasRunOut = known?.status === 'ACTIVE' && certificate.notAfterMs <= nowMs;
  return isFresh && !hasRunOut ? known : renewVerdict(certificate, nowMs);
}
