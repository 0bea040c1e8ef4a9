import { expect, test } from 'vitest';
import { refreshAhead } from '../../../shared/async/refresh-ahead.ts';

function aStore() {
  let nowMs = 0;
  const reads: PromiseWithResolvers<string>[] = [];
  const value = refreshAhead(
    () => {
      const read = Promise.withResolvers<string>();
      reads.push(read);
      return read.promise;
    },
    () => nowMs,
  );
  return {
    value,
    reads,
    at: (ms: number) => {
      nowMs = ms;
      return value();
    },
  };
}

test('what is followed is read once for many who ask within a moment', async () => {
  const { at, reads } = aStore();
  const [first, second] = [at(0), at(150)];
  reads[0]?.resolve('a');
  expect([await first, await second, reads.length]).toEqual(['a', 'a', 1]);
});

test('is read again beside those who use it, who do not wait for a slow store', async () => {
  const { at, reads } = aStore();
  const first = at(0);
  reads[0]?.resolve('a');
  await first;
  expect(await at(300)).toBe('a');
  expect(reads).toHaveLength(2);
  reads[1]?.resolve('b');
  await reads[1]?.promise;
  expect(await at(310)).toBe('b');
});

test('is never older than half a second: then everybody waits for the store', async () => {
  const { at, reads } = aStore();
  const first = at(0);
  reads[0]?.resolve('a');
  await first;
  at(490);
  const late = at(600);
  reads[1]?.resolve('b');
  expect(await late).toBe('b');
});

test('tells of a read that failed to those who wait for it alone, and reads again', async () => {
  const { at, reads } = aStore();
  const first = at(0);
  reads[0]?.resolve('a');
  await first;
  at(300);
  reads[1]?.reject(new Error('no answer'));
  expect(await at(400)).toBe('a');
  const waits = at(501);
  reads[2]?.resolve('b');
  expect(await waits).toBe('b');
  const alone = at(1_500);
  reads[3]?.reject(new Error('no answer'));
  await expect(alone).rejects.toThrow('no answer');
});
