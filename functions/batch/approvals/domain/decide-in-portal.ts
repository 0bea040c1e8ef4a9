import { Refusal } from '../../../../shared/errors/errors.ts';
import { DECISIONS, type Verdict } from '../../jobs/domain/job/approval.ts';
import { requireShort } from '../../jobs/reason.ts';
import type { ApproverSession } from '../approver-sessions.ts';
import { decide } from './decide.ts';
import { requireVerified, type SecondFactorOutcome } from './second-factor/require-verified.ts';

/** The form of the portal, as it came. */
export type PortalDecision = {
  readonly jobId: string;
  readonly decision: string;
  readonly reason: string;
  readonly code: string;
};

type Sender = {
  readonly session: ApproverSession;
  /** The value of the session's cookie. */
  readonly cookie: string;
  readonly ipAddress: string;
  readonly userAgent: string;
};

/** A form that was not accepted: the page shows the problem at its place. Nothing was recorded. */
export type DecisionProblem = {
  readonly code: string;
  readonly status: number;
  /** The field that has the problem; undefined where it is none of one field. */
  readonly field?: 'reason' | 'code';
  /** The button that was pressed; undefined where it was neither. */
  readonly verdict?: Verdict;
};

export type PortalDecisionOutcome =
  | { readonly outcome: 'recorded'; readonly verdict: Verdict }
  /** The person has to set up their second factor first. */
  | { readonly outcome: 'not-enrolled' }
  | { readonly outcome: 'refused'; readonly problem: DecisionProblem };

export const isVerdict = (text: string): text is Verdict => (DECISIONS as readonly string[]).includes(text);

/**
 * A decision in the portal. A code of the second factor works once, so it is spent last: a form that lacks something
 * else keeps it.
 */
export async function decideInPortal(
  { session, cookie, ipAddress, userAgent }: Sender,
  { jobId, decision: verdict, ...typed }: PortalDecision,
  nowMs: number,
): Promise<PortalDecisionOutcome> {
  if (!isVerdict(verdict)) return refused({ code: 'approval.unknown-decision', status: 400 });
  const reason = reasonOf(typed.reason);
  if (verdict === 'rejected' && reason === undefined)
    return refused({ code: 'reason-missing', status: 400, field: 'reason', verdict });
  try {
    requireShort(reason);
    const code = typed.code.trim() || undefined;
    const verified = await requireVerified({ cookie, session, code }, nowMs);
    if (verified === 'not-enrolled') return { outcome: 'not-enrolled' };
    if (verified !== 'verified') return refused({ ...codeProblem(verified), verdict });
    const { address: email, method } = session;
    await decide({ jobId, email, verdict, reason: reason ?? null, method, ipAddress, userAgent }, nowMs);
    return { outcome: 'recorded', verdict };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code, status } = error;
    const field = code === 'validation.reason-too-long' ? { field: 'reason' as const } : {};
    return refused({ code, status, verdict, ...field });
  }
}

/** The reason in a form; an empty field has none. A browser sends a line break as CR LF, and counts one character. */
export const reasonOf = (typed: string): string | undefined =>
  typed.replaceAll('\r\n', '\n').trim() || undefined;

const codeProblem = (code: Exclude<SecondFactorOutcome, 'verified' | 'not-enrolled'>) =>
  ({ code, status: 403, field: 'code' }) as const;

const refused = (problem: DecisionProblem): PortalDecisionOutcome => ({ outcome: 'refused', problem });
