import type { Call } from './call.ts';

// Enough to give a place back and to say that the time is over, where an answer was not ready in time.
const LAST_WORD_MS = 300;

// A longer delay makes a timer fire at once.
const MAX_TIMER_MS = 2 ** 31 - 1;

/** How long this call may still work: the host's end, less the time to say so. */
export const workingMs = (call: Call): number => Math.max(0, call.remainingMs() - LAST_WORD_MS);

/** The host was about to end the function, and the call was not answered. */
export class OutOfTime extends Error {
  override readonly name = 'OutOfTime';
}

/**
 * The work's outcome, or a failure when the host is about to end the function. Without it the host would cut the
 * connection and answer in its own words, with no correlation id. The work itself is not stopped.
 */
export async function inTime<T>(withinMs: number, work: () => Promise<T> | T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<never>((_, reject) => {
    const late = () =>
      reject(new OutOfTime('The time of the function was over before the call was answered.'));
    timer = setTimeout(late, Math.min(withinMs, MAX_TIMER_MS));
  });
  try {
    return await Promise.race([work(), end]);
  } finally {
    clearTimeout(timer);
  }
}
