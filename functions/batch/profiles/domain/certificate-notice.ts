import type { Certificate } from '../../../../shared/pki/certificate/certificate.ts';
import { type Sentence, say } from '../../sentences/sentences.ts';
import type { Approval, METHODS } from './profile.ts';

/** So many days before its end, operators are told of a certificate. A new one takes days to get. */
const NOTICE_DAYS = 30;
const DAY_MS = 86_400_000;

type Period = Pick<Certificate, 'notBeforeMs' | 'notAfterMs'>;

/** The certificate of a profile is not valid now, or not for long. */
export type CertificateNotice = Period & {
  readonly problem: 'expired' | 'not-yet-valid' | 'expires-soon';
  /** Whole days until its end. */
  readonly daysLeft: number;
};

/** Whether the key of a profile signs, wherever it is. `signerSet` is that of the profile, or of a job's frozen rule. */
export const usesKey = ({ method }: { readonly method: Method }, signerSet: SignerSet = 'Profile'): boolean =>
  method !== 'ExternalSigner' && signerSet !== 'Approvers';

type Method = (typeof METHODS)[number];
type SignerSet = Approval['signerSet'];

type Signing = {
  readonly method: Method;
  readonly approval?: Pick<Approval, 'signerSet'> | null | undefined;
};

/**
 * What operators are told of the certificate that a profile signs with. Nothing where it is valid for long, where there
 * is none, and where others sign. It does not degrade a profile: jobs judge the certificate at the time they run.
 */
export function certificateNoticeOf(
  profile: Signing,
  period: Period | undefined,
  nowMs: number,
): CertificateNotice | undefined {
  if (!period || !usesKey(profile, profile.approval?.signerSet)) return undefined;
  const problem = problemOf(period, nowMs);
  const { notBeforeMs, notAfterMs } = period;
  const daysLeft = Math.max(0, Math.floor((notAfterMs - nowMs) / DAY_MS));
  return problem && { problem, notBeforeMs, notAfterMs, daysLeft };
}

// RFC 5280, 4.1.2.5: both ends belong to the period.
function problemOf({ notBeforeMs, notAfterMs }: Period, nowMs: number) {
  if (nowMs > notAfterMs) return 'expired';
  if (nowMs < notBeforeMs) return 'not-yet-valid';
  return notAfterMs - nowMs < NOTICE_DAYS * DAY_MS ? 'expires-soon' : undefined;
}

/** A notice for readiness and the command line. @example 'Its certificate expired on 2021-03-01. Give it a new key.' */
export function describeNotice({ problem, notBeforeMs, notAfterMs, daysLeft }: CertificateNotice): Sentence {
  const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  if (problem === 'expired') return say('check.certificate-expired', { date: dateOf(notAfterMs) });
  if (problem === 'not-yet-valid')
    return say('check.certificate-not-yet-valid', { date: dateOf(notBeforeMs) });
  const date = dateOf(notAfterMs);
  return daysLeft === 1
    ? say('check.certificate-expires-tomorrow', { date })
    : say('check.certificate-expires-soon', { date, days: daysLeft });
}
