import { recordedAs, type Sentence, say } from '../../../sentences/sentences.ts';
import { expiresAt, expiryOf, isExpired } from './approval.ts';
import type { Job } from './job.ts';
import { withHistory } from './move-job.ts';
import { type JobState, jobStates } from './states.ts';

/** Why a job whose approval window has passed is canceled, and when. Undefined for any other job. */
export function expiryOfJob(
  { state, approval }: Job,
  nowMs: number,
): { readonly message: Sentence; readonly atMs: number } | undefined {
  if (!approval || !jobStates.accepts(state, 'approvalExpired') || !isExpired(approval, nowMs))
    return undefined;
  return {
    message: say('job.approval-expired', { time: expiresAt(approval) ?? '' }),
    atMs: expiryOf(approval) ?? nowMs,
  };
}

// The sweeper runs once a minute, and the window ends by the clock:
//
//   job      |--parked-----------|window ends
//   reader                          |--Canceled, as of now--|
//   sweeper                                                    |--Canceled, with its event and its files--|

/** A job as it is at this time: one whose approval window has passed is canceled, before the sweeper has run. */
export function jobAsOf<J extends Job>(job: J, nowMs: number): J {
  const expiry = expiryOfJob(job, nowMs);
  const state = expiry && jobStates.next(job.state, 'approvalExpired');
  if (!expiry || !state) return job;
  const { message, atMs } = expiry;
  const { message: errorMessage, said: errorSaid } = recordedAs(message);
  return { ...job, state, errorMessage, errorSaid, ...withHistory(job, state, message, atMs) };
}

/** Jobs of a list as they are at this time. Those that have left the states which were asked for are left out. */
export const jobsAsOf = <J extends Job>(
  found: readonly J[],
  states: readonly JobState[] | undefined,
  nowMs: number,
): J[] =>
  found
    .map((job) => jobAsOf(job, nowMs))
    .filter(({ state }) => states === undefined || states.includes(state));
