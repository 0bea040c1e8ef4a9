import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { cached, dropAllCached } from '../../../shared/store/cached.ts';

const TTL_MS = 5_000;

/** A cache over a store of a test, with a clock that the test moves. */
function stage({ ttlMs = TTL_MS, name = randomUUID() } = {}) {
  const stored = new Map<string, string>();
  const clock = { nowMs: 0 };
  const reads: string[] = [];
  const cache = cached<string>({
    name,
    read: async (key) => {
      reads.push(key);
      return stored.get(key);
    },
    ttlMs: () => ttlMs,
    now: () => clock.nowMs,
  });
  return { stored, clock, reads, cache };
}

describe('a cached item', () => {
  test('is read once until its time is over, and then again', async () => {
    const { stored, clock, reads, cache } = stage();
    stored.set('a', 'old');
    expect(await cache.get('a')).toBe('old');
    stored.set('a', 'new');
    clock.nowMs = TTL_MS - 1;
    expect(await cache.get('a')).toBe('old');
    clock.nowMs = TTL_MS;
    expect(await cache.get('a')).toBe('new');
    expect(reads).toEqual(['a', 'a']);
  });

  test('is read once by all who ask for it at the same time', async () => {
    const { stored, reads, cache } = stage();
    stored.set('a', 'value');
    expect(await Promise.all([cache.get('a'), cache.get('a'), cache.get('a')])).toEqual(
      Array(3).fill('value'),
    );
    expect(reads).toEqual(['a']);
  });

  test('is shared by the functions of a process, which have modules of their own', async () => {
    const name = randomUUID();
    const [one, other] = [stage({ name }), stage({ name })];
    one.stored.set('a', 'value');
    await one.cache.get('a');
    expect(await other.cache.get('a')).toBe('value');
    expect(other.reads).toEqual([]);
  });

  test('does not last longer when the clock is set back', async () => {
    const { stored, clock, cache } = stage();
    clock.nowMs = 3_600_000;
    stored.set('a', 'old');
    await cache.get('a');
    stored.set('a', 'new');
    clock.nowMs = 0;
    expect(await cache.get('a')).toBe('new');
  });

  test('is read at every call while the time to live is 0', async () => {
    const { stored, reads, cache } = stage({ ttlMs: 0 });
    stored.set('a', 'value');
    await Promise.all([cache.get('a'), cache.get('a')]);
    expect(reads).toEqual(['a', 'a']);
  });

  test('that does not exist is asked for again', async () => {
    const { stored, cache } = stage();
    expect(await cache.get('a')).toBeUndefined();
    stored.set('a', 'value');
    expect(await cache.get('a')).toBe('value');
  });

  test('that could not be read is asked for again', async () => {
    let reads = 0;
    const cache = cached<string>({
      name: randomUUID(),
      read: async () => {
        if (++reads === 1) throw new Error('The store is away.');
        return 'value';
      },
      ttlMs: () => TTL_MS,
    });
    await expect(cache.get('a')).rejects.toThrow('The store is away.');
    expect(await cache.get('a')).toBe('value');
  });

  test('is read again after it was dropped, and others stay', async () => {
    const { stored, reads, cache } = stage();
    stored.set('a', 'a').set('b', 'b');
    await Promise.all([cache.get('a'), cache.get('b')]);
    cache.drop('a');
    await Promise.all([cache.get('a'), cache.get('b')]);
    expect(reads).toEqual(['a', 'b', 'a']);
  });

  // reader  |--begins to read the old value-----------------------| gets it
  // writer        |--changes it--drops the key--|
  // next                                           |--reads the new value
  test('is not kept by a read that began before it was dropped', async () => {
    const answers: ((value: string) => void)[] = [];
    const cache = cached<string>({
      name: randomUUID(),
      read: () => new Promise((resolve) => answers.push(resolve)),
      ttlMs: () => TTL_MS,
    });
    const early = cache.get('a');
    cache.drop('a');
    const late = cache.get('a');
    answers[0]?.('old');
    answers[1]?.('new');
    expect([await early, await late, await cache.get('a')]).toEqual(['old', 'new', 'new']);
  });

  test('makes room for others: no more than ten thousand are kept', async () => {
    const { stored, reads, cache } = stage();
    for (let n = 0; n <= 10_000; n++) {
      stored.set(String(n), 'value');
      await cache.get(String(n));
    }
    reads.length = 0;
    await cache.get('10000');
    await cache.get('1');
    await cache.get('0');
    expect(reads).toEqual(['0']);
  });
});

test('all caches of a process can be dropped at once', async () => {
  const [one, other] = [stage(), stage()];
  for (const { stored, cache } of [one, other]) {
    stored.set('a', 'old');
    await cache.get('a');
    stored.set('a', 'new');
  }
  dropAllCached();
  expect([await one.cache.get('a'), await other.cache.get('a')]).toEqual(['new', 'new']);
});
