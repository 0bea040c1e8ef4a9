import { errors } from '../../errors.ts';

/** The work's outcome, or SIGN_TIMEOUT when the call's budget is over first. The work itself is not stopped. */
export function inTime<T>(work: Promise<T>, deadlineAtMs: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const leftMs = Math.max(0, deadlineAtMs - Date.now());
  const timer = setTimeout(() => reject(errors.refuse('SIGN_TIMEOUT')), leftMs);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}

/**
 * The parts of a form for as long as the call's budget lasts. A form that is still arriving then is refused whole:
 * nothing has become a document yet.
 */
export async function* partsInTime<T>(parts: AsyncIterable<T>, deadlineAtMs: number): AsyncGenerator<T> {
  const iterator = parts[Symbol.asyncIterator]();
  try {
    for (;;) {
      // A race of its own for each part: one that outlives them would hold on to every document.
      const { done, value } = await inTime(iterator.next(), deadlineAtMs);
      if (done) return;
      yield value;
    }
  } finally {
    // Not waited for: a caller that sends nothing more would hold the answer up.
    void iterator.return?.()?.catch(() => undefined);
  }
}
