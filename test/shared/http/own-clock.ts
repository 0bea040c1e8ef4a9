import { vi } from 'vitest';

/**
 * Waits for an answer by a clock that only this moves: a busy machine takes none of the host's time. For calls that
 * reach no store.
 * @example const answer = await answeredOnOwnClock(() => call(slow, {}, lambdaContext(500)));
 */
export async function answeredOnOwnClock<T>(answer: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'] });
  let isAnswered = false;
  try {
    const answered = answer().finally(() => {
      isAnswered = true;
    });
    while (!isAnswered) {
      await vi.advanceTimersByTimeAsync(1);
      await new Promise((next) => setImmediate(next));
    }
    return await answered;
  } finally {
    vi.useRealTimers();
  }
}
