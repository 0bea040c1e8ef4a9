/**
 * An iteration again, after its beginning was taken from it.
 * @example const rest = content[Symbol.asyncIterator]();
 *          const { value } = await rest.next();
 *          await store(resumeIteration(value, rest));
 */
export async function* resumeIteration<T>(beginning: T, rest: AsyncIterator<T>): AsyncGenerator<T> {
  yield beginning;
  for (;;) {
    const { done, value } = await rest.next();
    if (done) return;
    yield value;
  }
}
