import { errors } from '../../errors.ts';

/**
 * The parts of a form for as long as the call's budget lasts. A form that is still arriving then is refused whole:
 * nothing has become a document yet.
 */
export async function* withinBudget<T>(parts: AsyncIterable<T>, deadlineAtMs: number): AsyncGenerator<T> {
  const { promise: over, reject } = Promise.withResolvers<never>();
  over.catch(() => undefined); // told to whoever waits for a part, and to nobody where none does
  const leftMs = Math.max(0, deadlineAtMs - Date.now());
  const timer = setTimeout(() => reject(errors.refuse('SIGN_TIMEOUT')), leftMs);
  const iterator = parts[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await Promise.race([iterator.next(), over]);
      if (done) return;
      yield value;
    }
  } finally {
    clearTimeout(timer);
    // Not waited for: a caller that sends nothing more would hold the answer up.
    void iterator.return?.()?.catch(() => undefined);
  }
}
