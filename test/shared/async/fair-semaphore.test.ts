import { expect, test } from 'vitest';
import {
  type FairSemaphore,
  fairSemaphore,
  type SemaphoreLimits,
  type Slot,
} from '../../../shared/async/fair-semaphore.ts';

const PATIENT = { maxWaitMs: 60_000 };
const NOT_PATIENT = { maxWaitMs: 0 };

/** Takes slots of one key until none is given. */
async function fill(semaphore: FairSemaphore, key: string, limits: SemaphoreLimits): Promise<Slot[]> {
  const slots: Slot[] = [];
  for (;;) {
    const slot = await semaphore.acquire(key, limits, NOT_PATIENT);
    if (!slot) return slots;
    slots.push(slot);
  }
}

test('one key alone leaves a part free, and each newcomer finds some of it', async () => {
  const semaphore = fairSemaphore();
  const limits = { slots: 200, maxWaiting: 0, share: 4 };
  const taken = [];
  for (const key of ['uploads', 'callers', 'fourth']) taken.push((await fill(semaphore, key, limits)).length);
  expect(taken).toEqual([160, 32, 7]);
});

test('a few slots are not divided: one key may have them all', async () => {
  expect(await fill(fairSemaphore(), 'a', { slots: 4, maxWaiting: 0, share: 4 })).toHaveLength(4);
});

test('a key holds no more than its own limit, whatever is free', async () => {
  const limits = { slots: Number.POSITIVE_INFINITY, slotsPerKey: 3, maxWaiting: 0 };
  const semaphore = fairSemaphore();
  expect(await fill(semaphore, 'a', limits)).toHaveLength(3);
  expect(await fill(semaphore, 'b', limits)).toHaveLength(3);
});

//   holder    |--one slot--| released again and again
//   waiting   a a a a a  b  c
//   served                      a b c a a a a
test('those who wait are served by turns, one of each key', async () => {
  const semaphore = fairSemaphore();
  const limits = { slots: 1, maxWaiting: 10 };
  const first = await semaphore.acquire('holder', limits, PATIENT);
  const served: string[] = [];
  const waiting = ['a', 'a', 'a', 'a', 'a', 'b', 'c'].map(async (key) => {
    const slot = await semaphore.acquire(key, limits, PATIENT);
    served.push(key);
    slot?.release();
  });
  first?.release();
  await Promise.all(waiting);
  expect(served.join('')).toBe('abcaaaa');
});

test('one key does not fill the queue', async () => {
  const semaphore = fairSemaphore();
  const limits = { slots: 1, maxWaiting: 10, share: 4 };
  const holder = await semaphore.acquire('holder', limits, PATIENT);
  const flood = Array.from({ length: 20 }, () => semaphore.acquire('flood', limits, PATIENT));
  const late = semaphore.acquire('late', limits, PATIENT);
  const refused = (await Promise.race([Promise.all(flood.slice(8)), late.then(() => [])])) ?? [];
  expect(refused).toEqual(Array(12).fill(undefined));
  holder?.release();
  (await flood[0])?.release();
  expect(await late).toBeDefined();
});

test('a caller that hung up leaves the queue, and one that is gone already never joins it', async () => {
  const semaphore = fairSemaphore();
  const limits = { slots: 1, maxWaiting: 1 };
  const holder = await semaphore.acquire('a', limits, PATIENT);
  const caller = new AbortController();
  const gone = semaphore.acquire('b', limits, { ...PATIENT, signal: caller.signal });
  caller.abort();
  expect(await gone).toBeUndefined();
  expect(await semaphore.acquire('b', limits, { ...PATIENT, signal: caller.signal })).toBeUndefined();
  const next = semaphore.acquire('c', limits, PATIENT);
  holder?.release();
  expect(await next).toBeDefined();
});

test('who cannot be served in time is refused at once and does not wait for it', async () => {
  const semaphore = fairSemaphore();
  const limits = { slots: 1, maxWaiting: 1_000 };
  const first = await semaphore.acquire('a', limits, PATIENT);
  // A hold of a few milliseconds, by any clock: hundreds of them are more than the budget.
  for (const startedAt = performance.now(); performance.now() - startedAt < 5; );
  first?.release();
  const holder = await semaphore.acquire('a', limits, PATIENT);
  const waiting = Array.from({ length: 500 }, (_, n) => semaphore.acquire(`k${n}`, limits, PATIENT));
  expect(await semaphore.acquire('late', limits, { maxWaitMs: 1_000 })).toBeUndefined();
  holder?.release();
  for (const slot of waiting) (await slot)?.release();
  expect(await semaphore.acquire('late', limits, { maxWaitMs: 1_000 })).toBeDefined();
});

test('a slot that is given back twice is free once', async () => {
  const semaphore = fairSemaphore();
  const limits = { slots: 2, maxWaiting: 0 };
  const [slot] = await fill(semaphore, 'a', limits);
  slot?.release();
  slot?.release();
  expect(await fill(semaphore, 'a', limits)).toHaveLength(1);
});
