import { setTimeout as pause } from 'node:timers/promises';

export type RetryOptions = {
  /** The first attempt included. */
  readonly maxAttempts: number;
  /** Whether this failure may pass by itself. Any other is thrown at once. */
  readonly isRetryable: (error: unknown) => boolean;
  /** The pause after attempt `n`, from 1. None when left out. */
  readonly pauseMs?: (n: number) => number;
  /** No further attempt begins after this time. */
  readonly deadlineAtMs?: number | undefined;
  readonly now?: () => number;
};

/**
 * Attempts the work until it succeeds. Throws the last failure when it is not retryable, the attempts are used up, or
 * the next attempt would begin after the deadline.
 * @example await retry(() => fetchList(url), { maxAttempts: 3, isRetryable, pauseMs: jitteredBackoff(50) });
 */
export async function retry<T>(
  work: (attempt: number) => Promise<T>,
  { maxAttempts, isRetryable, pauseMs = () => 0, deadlineAtMs = Infinity, now = Date.now }: RetryOptions,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt);
    } catch (error) {
      if (attempt >= maxAttempts || !isRetryable(error)) throw error;
      const waitMs = pauseMs(attempt);
      if (now() + waitMs >= deadlineAtMs) throw error;
      if (waitMs > 0) await pause(waitMs);
    }
  }
}

/**
 * Pauses that double with every attempt, times a random factor (full jitter): callers that failed together do not come
 * back together.
 */
export const jitteredBackoff =
  (firstMs: number, maxDoublings = Infinity) =>
  (attempt: number): number =>
    Math.random() * firstMs * 2 ** Math.min(attempt, maxDoublings);
