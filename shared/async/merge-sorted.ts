/**
 * Merges sources, each in order, into one in the same order. It holds one item of each source, and takes the next when
 * the caller has taken that one.
 * @example yield* mergeSorted(shards.map(entriesOf), (a, b) => a.atMs - b.atMs);
 */
export async function* mergeSorted<T>(
  sources: readonly AsyncIterable<T>[],
  compare: (a: T, b: T) => number,
): AsyncGenerator<T> {
  const iterators = sources.map((source) => source[Symbol.asyncIterator]());
  const heads = await Promise.all(iterators.map((iterator) => iterator.next()));
  for (;;) {
    let first: { readonly index: number; readonly value: T } | undefined;
    for (const [index, head] of heads.entries()) {
      if (!head.done && (!first || compare(head.value, first.value) < 0))
        first = { index, value: head.value };
    }
    if (!first) return;
    yield first.value;
    const next = await iterators[first.index]?.next();
    if (next) heads[first.index] = next;
  }
}
