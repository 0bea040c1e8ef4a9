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
