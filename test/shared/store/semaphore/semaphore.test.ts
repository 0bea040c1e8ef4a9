import { fork } from 'node:child_process';
import { once } from 'node:events';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { tableName } from '../../../../shared/settings/names.ts';
import { dynamo } from '../../../../shared/store/client.ts';
import {
  type DistributedSemaphore,
  distributedSemaphore,
  type LeasedSlot,
  type SemaphoreOptions,
  type SlotRequest,
} from '../../../../shared/store/semaphore/semaphore.ts';
import { killedAt } from '../../../faults/crash.ts';
import { loseNextAnswer, requestsOf } from '../requests.ts';

const newSemaphore = (name: string = crypto.randomUUID(), clock: Clock = {}) =>
  distributedSemaphore({ service: 'sandbox', name, ...clock });
type Clock = Pick<SemaphoreOptions, 'now' | 'sleep'>;
const LIMITS = { limit: 20, queueLimit: 10, waitMs: 0 };
const LEASE_MS = 15_000;
/** Another process, when every lease of now is over. */
const laterProcess = (name: string) => newSemaphore(name, { now: () => Date.now() + LEASE_MS + 1 });

/** Acquires slots until the semaphore is busy. */
async function fill(semaphore: DistributedSemaphore, request: SlotRequest = LIMITS): Promise<LeasedSlot[]> {
  const slots: LeasedSlot[] = [];
  for (;;) {
    const slot = await semaphore.acquire(request);
    if (!slot) return slots;
    slots.push(slot);
  }
}

// 200 callers at once, 20 slots and a queue of 10. The 20 hold their slots until the other 180 are refused or queued:
//
//   20 callers   |--acquire------------------------ release--|
//   10 callers   |--queued, polling-------------------------- acquire -- release--|
//  170 callers   |--busy--|
test('of 200 callers at once against 20 + 10, 20 get a slot, 10 get one after them, and 170 are refused at once', async () => {
  const refusedAll = Promise.withResolvers<void>();
  let isWaiting = false;
  const sleep = async () => {
    isWaiting = true;
    await refusedAll.promise;
  };
  const semaphore = newSemaphore(undefined, { sleep });
  let holding = 0;
  let most = 0;
  let refusedAtOnce = 0;
  const answers = await Promise.all(
    Array.from({ length: 200 }, async () => {
      const slot = await semaphore.acquire({ ...LIMITS, waitMs: 20_000 });
      if (!slot) {
        refusedAtOnce++;
        if (refusedAtOnce === 170) refusedAll.resolve();
        return 'busy';
      }
      holding++;
      most = Math.max(most, holding);
      await refusedAll.promise;
      holding--;
      semaphore.release(slot);
      return 'served';
    }),
  );
  expect(most).toBeLessThanOrEqual(20);
  expect(answers.filter((answer) => answer === 'served')).toHaveLength(30);
  expect([refusedAtOnce, isWaiting]).toEqual([170, true]);
  // Nobody waits for a release, and stores that run elsewhere take a while.
  const free: LeasedSlot[] = [];
  await expect.poll(async () => free.push(...(await fill(semaphore)))).toBe(20);
});

test('a limit over several shards holds while some acquire and others release', async () => {
  const semaphore = newSemaphore();
  const request = { ...LIMITS, limit: 60 };
  const acquire = async (callers: number) => {
    const slots = await Promise.all(Array.from({ length: callers }, () => semaphore.acquire(request)));
    return slots.filter((slot) => slot !== undefined);
  };
  const holders = await acquire(90);
  expect(holders).toHaveLength(60);
  const acquiring = acquire(60);
  holders.splice(0, 30).map(semaphore.release);
  const newcomers = await acquiring;
  expect(newcomers.length).toBeLessThanOrEqual(30);
  const rest = await fill(semaphore, request);
  expect(holders.length + newcomers.length + rest.length).toBe(60);
});

test('a holder that is killed keeps its slot until its lease ends, and then every slot is free again', async () => {
  const name = crypto.randomUUID();
  const holder = fork(new URL('./hold-slots.ts', import.meta.url), [name, '5']);
  const [message] = await once(holder, 'message');
  expect(message).toEqual({ acquired: 5 });
  holder.kill('SIGKILL');
  await once(holder, 'exit');

  const request = { ...LIMITS, limit: 5 };
  expect(await fill(newSemaphore(name), request)).toHaveLength(0);
  expect(await fill(laterProcess(name), request)).toHaveLength(5);
});

test('many callers that find the same dead holders do not exceed the limit', async () => {
  const name = crypto.randomUUID();
  await fill(newSemaphore(name));
  const later = laterProcess(name);
  const slots = await Promise.all(Array.from({ length: 100 }, () => later.acquire(LIMITS)));
  expect(slots.filter(Boolean)).toHaveLength(20);
});

test('a late holder that releases its lost slot does not free the slot of its successor', async () => {
  const name = crypto.randomUUID();
  const semaphore = newSemaphore(name);
  const request = { ...LIMITS, limit: 1 };
  const late = await semaphore.acquire(request);
  const later = laterProcess(name);
  expect(await later.acquire(request)).toBeDefined();
  if (late) semaphore.release(late);
  expect(await laterProcess(name).acquire(request)).toBeUndefined();
});

test('a waiter gets a slot when one is free, and leaves the queue', async () => {
  const request = { limit: 1, queueLimit: 1, waitMs: 1_000 };
  const name = crypto.randomUUID();
  const semaphore = newSemaphore(name);
  const holder = await semaphore.acquire(request);
  const sleep = async () => {
    if (holder) semaphore.release(holder);
    await expect.poll(() => isFull(name)).toBe(false);
  };
  expect(await newSemaphore(name, { now: () => Date.now(), sleep }).acquire(request)).toBeDefined();

  const clock = ticking();
  const sent = await requestsOf(() => newSemaphore(name, clock).acquire(request));
  expect(clock.sleeps).toBeGreaterThan(2);
  expect(sent.UpdateItem).toBeGreaterThan(3);
});

test('a waiter whose time is over gets no slot, and leaves the queue', async () => {
  const name = crypto.randomUUID();
  const request = { limit: 1, queueLimit: 1, waitMs: 1_000 };
  await newSemaphore(name).acquire(request);
  for (let i = 0; i < 3; i++) {
    const clock = ticking();
    expect(await newSemaphore(name, clock).acquire(request)).toBeUndefined();
    expect(clock.sleeps).toBeGreaterThan(2);
    expect(clock.passedMs()).toBeLessThanOrEqual(1_001);
  }
});

test('a waiter that is killed leaves the queue when its lease ends', async () => {
  const name = crypto.randomUUID();
  const request = { limit: 1, queueLimit: 1, waitMs: 1_000 };
  await newSemaphore(name).acquire(request);
  // The first write that is not refused creates the queue and waits in it.
  expect(await killedAt(1, 'after', () => newSemaphore(name, ticking()).acquire(request))).toBe(true);
  const full = ticking();
  await newSemaphore(name, full).acquire(request);
  expect(full.sleeps).toBe(0);
  const healed = ticking(11_001);
  await newSemaphore(name, healed).acquire(request);
  expect(healed.sleeps).toBeGreaterThan(0);
});

test('limits may change between calls, up and down', async () => {
  const semaphore = newSemaphore();
  const before = await fill(semaphore, { ...LIMITS, limit: 30 });
  expect(before).toHaveLength(30);
  before.map(semaphore.release);
  expect(await fill(semaphore, { ...LIMITS, limit: 4 })).toHaveLength(4);
  expect(await fill(semaphore, { ...LIMITS, limit: 7 })).toHaveLength(3);
});

test('a limit that is lowered while dead holders have slots heals to the new limit', async () => {
  const name = crypto.randomUUID();
  await fill(newSemaphore(name), { ...LIMITS, limit: 25 });
  expect(await fill(laterProcess(name), { ...LIMITS, limit: 3 })).toHaveLength(3);
});

test('a semaphore with a limit of zero gives no slot', async () => {
  expect(await newSemaphore().acquire({ ...LIMITS, limit: 0, queueLimit: 0 })).toBeUndefined();
});

test('an acquisition whose answer was lost takes one slot, not two', async () => {
  const semaphore = newSemaphore();
  const request = { ...LIMITS, limit: 2 };
  await semaphore.acquire(request);
  loseNextAnswer('UpdateItem');
  expect(await semaphore.acquire(request)).toBeDefined();
  expect(await semaphore.acquire(request)).toBeUndefined();
});

const isFull = async (name: string): Promise<boolean> => {
  const { Item } = await dynamo().send(
    new GetItemCommand({
      TableName: tableName('sandbox'),
      Key: { pk: { S: `SEMAPHORE#${name}#work#0` }, sk: { S: 'SHARD' } },
      ConsistentRead: true,
    }),
  );
  return Object.keys(Item?.holders?.M ?? {}).length > 0;
};

// A clock that only sleeping moves.
function ticking(fromNowMs = 0) {
  const start = Date.now() + fromNowMs;
  let at = start;
  const clock = {
    sleeps: 0,
    now: () => at,
    passedMs: () => at - start,
    sleep: async (ms: number) => {
      clock.sleeps++;
      at += ms;
    },
  };
  return clock;
}
