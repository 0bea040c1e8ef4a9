/** The moment by which work must be over, and the clock that it is compared with. */
export type Deadline = { readonly atMs: number; readonly now: () => number };

/** @example const deadline = deadlineIn(10_000, Date.now); */
export const deadlineIn = (ms: number, now: () => number): Deadline => ({ atMs: now() + ms, now });

/** Whole milliseconds; 0 once the deadline has passed. */
export const leftMs = ({ atMs, now }: Deadline): number => Math.max(0, Math.floor(atMs - now()));

/** The longest delay of a timer. A longer one makes the timer fire at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * The result of the work, or a failure with `lateError()` when the time is over first. The work itself is not stopped:
 * give it the same deadline where it can take one.
 * @example await withDeadline(5_000, () => provider.sign(hash), () => errors.refuse('SIGN_TIMEOUT'));
 */
export async function withDeadline<T>(
  withinMs: number,
  work: () => Promise<T> | T,
  lateError: () => Error,
): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(lateError()), Math.min(Math.max(0, withinMs), MAX_TIMER_MS));
  try {
    return await Promise.race([work(), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
