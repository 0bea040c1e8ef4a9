/**
 * Works on the items, at most `limit` at once: each worker takes the next item when its own is done. After a failure
 * no further item is begun; the work under way ends first, then the failure is thrown. An async generator serves as a
 * queue: it produces an item only when a worker is free.
 * @example await forEachConcurrently(10, messages, (message) => send(message));
 */
export async function forEachConcurrently<T>(
  limit: number,
  items: Iterable<T> | AsyncIterable<T>,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const source = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  let failure: { readonly error: unknown } | undefined;
  const worker = async (): Promise<void> => {
    try {
      while (!failure) {
        const { done, value } = await source.next();
        if (done || failure) return;
        await work(value);
      }
    } catch (error) {
      failure ??= { error };
    }
  };
  await Promise.all(Array.from({ length: limit }, worker));
  if (failure) throw failure.error;
}
