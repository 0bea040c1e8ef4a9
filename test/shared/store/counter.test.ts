import { expect, test } from 'vitest';
import { counter, shardedCounter } from '../../../shared/store/counter.ts';
import { requestsOf } from './requests.ts';

const named = () => ({ service: 'sandbox', name: crypto.randomUUID() }) as const;

test('a count that 100 writers add to at once is exact, and no two of them see the same', async () => {
  const attempts = counter(named());
  const seen = await Promise.all(Array.from({ length: 100 }, () => attempts.add('x')));
  expect(new Set(seen).size).toBe(100);
  expect(await attempts.read('x')).toBe(100);
  expect(await attempts.read('y')).toBe(0);
});

test('a sharded count is exact too, and read in one query', async () => {
  const enqueued = shardedCounter({ ...named(), shards: 8 });
  await Promise.all(Array.from({ length: 100 }, (_, i) => enqueued.add('x', i % 2 === 0 ? 3 : -1)));
  const sent = await requestsOf(async () => {
    expect(await enqueued.read('x')).toBe(100);
  });
  expect(sent).toEqual({ Query: 1 });
});
