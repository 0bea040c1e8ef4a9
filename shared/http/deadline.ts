import { withDeadline } from '../async/deadline.ts';
import type { Call } from './call.ts';

// Enough to give a slot back and to answer that the time is over.
const RESPONSE_RESERVE_MS = 300;

/** How long this call may still work: until the host ends the function, less the time to say so. */
export const workingMs = (call: Call): number => Math.max(0, call.remainingMs() - RESPONSE_RESERVE_MS);

/** The host was about to end the function before the call was answered. */
export class OutOfTime extends Error {
  override readonly name = 'OutOfTime';
}

/**
 * The result of the work, or OutOfTime when the host is about to end the function. Without it the host would cut the
 * connection and answer in its own words, with no correlation id.
 */
export const inTime = <T>(withinMs: number, work: () => Promise<T> | T): Promise<T> =>
  withDeadline(
    withinMs,
    work,
    () => new OutOfTime('The time of the function was over before the call was answered.'),
  );
