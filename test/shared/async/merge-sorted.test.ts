import { expect, test } from 'vitest';
import { mergeSorted } from '../../../shared/async/merge-sorted.ts';

const byNumber = (a: number, b: number): number => a - b;

test('sources in order are merged in order, empty ones too', async () => {
  async function* source(...numbers: number[]) {
    yield* numbers;
  }
  const merged = mergeSorted([source(1, 4, 4, 9), source(), source(2, 3, 10), source(4)], byNumber);
  expect(await Array.fromAsync(merged)).toEqual([1, 2, 3, 4, 4, 4, 9, 10]);
});

test('a source is read one item ahead, and no further', async () => {
  const read: number[] = [];
  async function* source(from: number) {
    for (let n = from; ; n += 2) {
      read.push(n);
      yield n;
    }
  }
  const merged = mergeSorted([source(0), source(1)], byNumber);
  await merged.next();
  await merged.next();
  expect(read.toSorted(byNumber)).toEqual([0, 1, 2]);
});
