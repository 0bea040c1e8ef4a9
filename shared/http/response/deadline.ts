import { withDeadline } from '../../async/deadline.ts';
import type { Call } from '../call.ts';

// Time to release a slot and to render the 503 when the work is not done before the host ends the function.
const RESPONSE_RESERVE_MS = 300;

/** The time left for this call: until the host ends it, less the reserve for the response. */
export const workingMs = (call: Call): number => Math.max(0, call.remainingMs() - RESPONSE_RESERVE_MS);

/** The function was about to end before the call was answered. */
export class OutOfTime extends Error {
  override readonly name = 'OutOfTime';
}

/**
 * Races work against a deadline. Without it the host ends the function and answers itself, with no correlation id.
 * The work itself is not stopped.
 */
export const inTime = <T>(withinMs: number, work: () => Promise<T> | T): Promise<T> =>
  withDeadline(
    withinMs,
    work,
    () => new OutOfTime('The time of the function was over before the call was answered.'),
  );
