import { retryOnConflict } from '../../../../../shared/store/retry-on-conflict.ts';
import { addressOf } from '../../../profiles/domain/approvers.ts';
import { settings } from '../../../settings.ts';
import { type ApproverSession, approverSessions } from '../../approver-sessions.ts';
import { checkCode } from './check-code.ts';
import { enrolments, openSecret } from './enrolment.ts';

export type SecondFactorRequest = {
  /** The value of the session's cookie: a right code is remembered there. */
  readonly cookie: string;
  readonly session: ApproverSession;
  /** The code that came with the request. */
  readonly code: string | undefined;
};

/**
 * `verified`: the person may decide. `not-enrolled`: they have to set up their second factor first. `code-required`: no
 * code came, and the last right one is too old.
 */
export type SecondFactorOutcome =
  | 'verified'
  | 'not-enrolled'
  | 'code-required'
  | 'approval.second-factor-invalid-code'
  | 'approval.second-factor-locked-out';

/** Whether a person may decide now, by the window of their last right code or by the code that came. */
export async function requireVerified(
  request: SecondFactorRequest,
  nowMs: number,
): Promise<SecondFactorOutcome> {
  if (!settings['ApproverSecondFactor:Enabled']) return 'verified';
  const { cookie, session, code = '' } = request;
  const address = addressOf(session.address);
  const judged = await retryOnConflict(async () => {
    const enrolment = await enrolments.get(address);
    const { sealedSecret = null, confirmedAtMs = null } = enrolment ?? {};
    if (!enrolment || sealedSecret === null || confirmedAtMs === null) return 'not-enrolled';
    if (isWithinWindow(session.verifiedAtMs, confirmedAtMs, nowMs)) return 'verified';
    if (code.trim() === '') return 'code-required';
    const secret = await openSecret(address, sealedSecret);
    return checkCode(enrolment, { code, secret }, nowMs);
  });
  if (judged !== undefined) return judged;
  await approverSessions.update(cookie, { verifiedAtMs: nowMs }, nowMs);
  return 'verified';
}

/**
 * Whether a decision that takes two steps may still be made at the second. With a window of 0 the code of the first step
 * is for both.
 */
export const requireStillVerified = (
  request: Omit<SecondFactorRequest, 'code'>,
  nowMs: number,
): Promise<SecondFactorOutcome> =>
  settings['ApproverSecondFactor:WindowMinutes'] === 0
    ? Promise.resolve('verified')
    : requireVerified({ ...request, code: undefined }, nowMs);

const MINUTE_MS = 60_000;

/**
 * Whether a verification still counts: from its own time on, whatever was done since. One from before the present
 * enrolment is of a secret that an operator has taken back.
 */
function isWithinWindow(verifiedAtMs: number | null, confirmedAtMs: number, nowMs: number): boolean {
  const windowMs = settings['ApproverSecondFactor:WindowMinutes'] * MINUTE_MS;
  if (verifiedAtMs === null || verifiedAtMs < confirmedAtMs || windowMs === 0) return false;
  return nowMs - verifiedAtMs < windowMs;
}
