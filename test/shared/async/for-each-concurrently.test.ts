import { setImmediate as nextTick } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { forEachConcurrently } from '../../../shared/async/for-each-concurrently.ts';

test('no more items than the limit are in work at once, and as many', async () => {
  let working = 0;
  let most = 0;
  const done: number[] = [];
  await forEachConcurrently(3, [1, 2, 3, 4, 5, 6, 7], async (item) => {
    most = Math.max(most, ++working);
    await nextTick();
    working--;
    done.push(item);
  });
  expect(most).toBe(3);
  expect(done.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

// worker 1  |--a----------------------------- ends --|
// worker 2  |--b--|--c--|--d--|
test('an item that takes long holds its own worker only', async () => {
  const others = Promise.withResolvers<void>();
  const done: string[] = [];
  await forEachConcurrently(2, ['a', 'b', 'c', 'd'], async (item) => {
    if (item === 'a') await others.promise;
    done.push(item);
    if (item === 'd') others.resolve();
  });
  expect(done).toEqual(['b', 'c', 'd', 'a']);
});

test('after a failure no item is begun, and the work under way ends before the failure is thrown', async () => {
  const failed = Promise.withResolvers<void>();
  const done: number[] = [];
  const work = forEachConcurrently(2, [1, 2, 3, 4], async (item) => {
    if (item === 1) {
      failed.resolve();
      throw new Error('broken');
    }
    await failed.promise;
    await nextTick();
    done.push(item);
  });
  await expect(work).rejects.toThrow('broken');
  expect(done).toEqual([2]);
});

test('the items of a generator are produced when a worker is free', async () => {
  let produced = 0;
  async function* items(): AsyncGenerator<number> {
    while (produced < 5) yield ++produced;
  }
  const ahead: number[] = [];
  await forEachConcurrently(2, items(), async (item) => {
    ahead.push(produced - item);
    await nextTick();
  });
  expect(ahead).toHaveLength(5);
  expect(Math.max(...ahead)).toBeLessThanOrEqual(1);
});
