import { expect, test } from 'vitest';
import { cached } from '../../../shared/store/cached.ts';

/** A cache over a store of one's own, with a clock that only the test moves. */
function stage({ ttlMs = 5_000 } = {}) {
  const store = new Map<string, string>();
  const reads: string[] = [];
  let nowMs = 1_000_000;
  const cache = cached<string>({
    name: crypto.randomUUID(),
    read: async (key) => {
      reads.push(key);
      return store.get(key);
    },
    ttlMs: () => ttlMs,
    now: () => nowMs,
  });
  const pass = (ms: number): void => {
    nowMs += ms;
  };
  return { store, reads, cache, pass };
}

test('a value is read once for its time, and a change is seen when the time is over', async () => {
  const { store, reads, cache, pass } = stage();
  store.set('a', 'old');
  expect(await cache.get('a')).toBe('old');
  store.set('a', 'new');
  pass(4_999);
  expect(await cache.get('a')).toBe('old');
  pass(1);
  expect(await cache.get('a')).toBe('new');
  expect(reads).toEqual(['a', 'a']);
});

test('concurrent reads of one key share one call, and those of others have their own', async () => {
  const { reads, cache } = stage();
  await Promise.all([cache.get('a'), cache.get('b'), cache.get('a'), cache.get('a')]);
  expect(reads).toEqual(['a', 'b']);
});

test('an absent item is not kept: it is found as soon as it is created', async () => {
  const { store, cache } = stage();
  expect(await cache.get('a')).toBeUndefined();
  store.set('a', 'created');
  expect(await cache.get('a')).toBe('created');
});

test('a dropped value is read again, also while an earlier read is under way', async () => {
  const { store, reads, cache } = stage();
  store.set('a', 'old');
  const earlier = cache.get('a');
  store.set('a', 'new');
  cache.drop('a');
  expect(await cache.get('a')).toBe('new');
  await earlier;
  expect(await cache.get('a')).toBe('new');
  expect(reads).toHaveLength(2);
});

test('a time of 0 reads every time', async () => {
  const { reads, cache } = stage({ ttlMs: 0 });
  await Promise.all([cache.get('a'), cache.get('a')]);
  await cache.get('a');
  expect(reads).toHaveLength(3);
});

test('a failed read is not kept', async () => {
  let isDown = true;
  const read = async () => (isDown ? Promise.reject(new Error('down')) : 'up');
  const cache = cached<string>({ name: crypto.randomUUID(), read, ttlMs: () => 5_000 });
  await expect(cache.get('a')).rejects.toThrow('down');
  isDown = false;
  expect(await cache.get('a')).toBe('up');
});

test('a clock that is set back makes no value last longer', async () => {
  const { store, cache, pass } = stage();
  store.set('a', 'old');
  await cache.get('a');
  store.set('a', 'new');
  pass(-3_600_000);
  expect(await cache.get('a')).toBe('new');
});

test('the longest-known values make way, so the cache does not grow with the keys', async () => {
  const { store, reads, cache } = stage();
  for (let n = 0; n <= 2_000; n++) {
    store.set(`${n}`, 'value');
    await cache.get(`${n}`);
  }
  reads.length = 0;
  await cache.get('2000');
  await cache.get('1');
  expect(reads).toEqual([]);
  await cache.get('0');
  expect(reads).toEqual(['0']);
});
