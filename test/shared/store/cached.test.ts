import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { cached } from '../../../shared/store/cached.ts';

/** A cache of its own over a store of one number, with a clock that the test moves. */
function aCache(ttlMs = 5_000) {
  const world = { stored: 1 as number | undefined, reads: 0, nowMs: 1_000_000 };
  const options = {
    name: randomUUID(),
    read: async () => {
      world.reads += 1;
      return world.stored;
    },
    ttlMs: () => ttlMs,
    now: () => world.nowMs,
  };
  return { world, options, cache: cached<number>(options) };
}

describe('a cached item', () => {
  test('is read once for all uses of its time', async () => {
    const { world, cache } = aCache();
    await cache.get('a');
    world.stored = 2;
    world.nowMs += 4_999;
    expect(await cache.get('a')).toBe(1);
    world.nowMs += 1;
    expect(await cache.get('a')).toBe(2);
    expect(world.reads).toBe(2);
  });

  test('is read once for all who ask at the same time', async () => {
    const { world, cache } = aCache();
    expect(await Promise.all([cache.get('a'), cache.get('a'), cache.get('a')])).toEqual([1, 1, 1]);
    expect(world.reads).toBe(1);
  });

  test('is read at every use where the time is 0', async () => {
    const { world, cache } = aCache(0);
    await cache.get('a');
    world.stored = 2;
    expect(await cache.get('a')).toBe(2);
  });

  test('that does not exist is looked for again', async () => {
    const { world, cache } = aCache();
    world.stored = undefined;
    expect(await cache.get('a')).toBeUndefined();
    world.stored = 1;
    expect(await cache.get('a')).toBe(1);
  });

  test('whose read fails is read again, and the failure is told to those who waited', async () => {
    const { options } = aCache();
    let isDown = true;
    const cache = cached<number>({
      ...options,
      read: () => (isDown ? Promise.reject(new Error('down')) : Promise.resolve(1)),
    });
    await expect(cache.get('a')).rejects.toThrow('down');
    isDown = false;
    expect(await cache.get('a')).toBe(1);
  });

  test('is the same for every cache of its name in the process', async () => {
    const { world, options, cache } = aCache();
    await cache.get('a');
    const other = cached<number>(options);
    expect(await other.get('a')).toBe(1);
    expect(world.reads).toBe(1);
    other.drop('a');
    world.stored = 2;
    expect(await cache.get('a')).toBe(2);
  });

  // reader  |--reads the old item------------------------|
  // writer         |--writes--drops
  // reader 2                        |--reads the new item
  test('that is dropped while it is read is not kept', async () => {
    const { options } = aCache();
    const old = Promise.withResolvers<number>();
    const reads = [old.promise, Promise.resolve(2)];
    const cache = cached<number>({ ...options, read: async () => reads.shift() });
    const first = cache.get('a');
    cache.drop('a');
    expect(await cache.get('a')).toBe(2);
    old.resolve(1);
    expect(await first).toBe(1);
    expect(await cache.get('a')).toBe(2);
  });

  test('leaves for newer ones when there are too many', async () => {
    const { world, cache } = aCache();
    for (let n = 0; n <= 10_000; n++) await cache.get(String(n));
    const { reads } = world;
    await cache.get('10000');
    expect(world.reads).toBe(reads);
    await cache.get('0');
    expect(world.reads).toBe(reads + 1);
  });
});
