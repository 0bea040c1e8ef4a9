import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, expect, test, vi } from 'vitest';
import { tableName } from '../../../../shared/settings/names.ts';
import { dynamo } from '../../../../shared/store/client.ts';
import { keptSlots } from '../../../../shared/store/semaphore/kept-slots.ts';
import { distributedSemaphore } from '../../../../shared/store/semaphore/semaphore.ts';
import { acquireInShard } from '../../../../shared/store/semaphore/shard.ts';
import { requestsOf } from '../requests.ts';

const LIMITS = { limit: 20, queueLimit: 0, waitMs: 0 };
const START_MS = Date.now();

afterEach(() => {
  vi.useRealTimers();
});

/** Processes that share a semaphore. Their timers fire when the clock is moved, and at no other time. */
function stage(limit = 20) {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval', 'setImmediate'], now: START_MS });
  const name = crypto.randomUUID();
  const request = { ...LIMITS, limit };
  const start = () => {
    const semaphore = distributedSemaphore({ service: 'sandbox', name, now: () => Date.now() });
    return {
      acquire: (holder?: string) =>
        semaphore.acquire({ ...request, ...(holder && { holder: { name: holder, share: 4 } }) }),
      release: semaphore.release,
    };
  };
  return { start };
}
type Process = ReturnType<ReturnType<typeof stage>['start']>;

/** Time passes; what its timers send is answered. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 1_000) {
    await vi.advanceTimersByTimeAsync(Math.min(left, 1_000));
    await settle();
  }
}

/** Requests that are under way are answered: a write of the same table comes after them. */
async function settle(): Promise<void> {
  for (let n = 0; n < 3; n++)
    await dynamo().send(
      new UpdateItemCommand({
        TableName: tableName('sandbox'),
        Key: { pk: { S: 'SETTLE' }, sk: { S: 'SETTLE' } },
      }),
    );
}
const sentDuring = async (ms: number) => (await requestsOf(() => pass(ms))).UpdateItem ?? 0;
/** What `settle` itself sends. */
const ownRequests = (ms: number) => 3 * Math.ceil(ms / 1_000);

async function call(process: Process, holder?: string): Promise<boolean> {
  const slot = await process.acquire(holder);
  if (slot) process.release(slot);
  return slot !== undefined;
}

test('a process that is called all the time makes no request for a slot after the first', async () => {
  const process = stage().start();
  expect(await call(process)).toBe(true);
  const sent = await requestsOf(async () => {
    for (let n = 0; n < 50; n++) expect(await call(process)).toBe(true);
  });
  expect(sent).toEqual({});
});

test('slots in use are renewed in the background, with one write for all of a shard', async () => {
  const { start } = stage();
  const [process, other] = [start(), start()];
  for (let n = 0; n < 8; n++) await process.acquire();
  expect((await sentDuring(30_000)) - ownRequests(30_000)).toBeLessThanOrEqual(6);
  let free = 0;
  while (await other.acquire()) free++;
  expect(free).toBe(12);
});

test('an idle slot goes back to the store after three seconds', async () => {
  const { start } = stage(2);
  const [process, other] = [start(), start()];
  expect(await call(process)).toBe(true);
  expect([await other.acquire(), await other.acquire()].filter(Boolean)).toHaveLength(1);
  await pass(4_000);
  expect(await other.acquire()).toBeDefined();
});

test('where half of the slots are held, a released one goes back at once', async () => {
  const { start } = stage(1);
  const [process, other] = [start(), start()];
  expect(await call(process)).toBe(true);
  await pass(1);
  expect(await other.acquire()).toBeDefined();
});

//   process  |--call--|  frozen: no timer fires ............... |--call--|
//   other                            lease ends |--takes all--|   refused: the slot is another's
test('a process that was frozen beyond its lease does not use its slot again', async () => {
  const { start } = stage(4);
  const [process, other] = [start(), start()];
  expect(await call(process)).toBe(true);
  vi.setSystemTime(START_MS + 15_001);
  for (let n = 0; n < 4; n++) expect(await other.acquire()).toBeDefined();
  expect(await process.acquire()).toBeUndefined();
});

test('a process that was frozen acquires anew, and is not refused because of its own slot', async () => {
  const process = stage(1).start();
  for (const frozenMs of [14_500, 20_000]) {
    expect(await call(process)).toBe(true);
    vi.setSystemTime(Date.now() + frozenMs);
  }
  expect(await call(process)).toBe(true);
});

//   process  |--call ........... stalls: renews nothing .......... renews: refused --|-- released: kept by nobody
//   other                             lease ends |--takes all--|
test('a renewal does not bring back a slot that was lost, and the others of the shard are renewed', async () => {
  let nowMs = START_MS;
  const shard = { table: tableName('sandbox'), shard: `SEMAPHORE#${crypto.randomUUID()}#0` };
  const kept = keptSlots(() => nowMs);
  const wanted = { limit: 2, holderName: '', shardLimit: 2 };
  const acquire = async (leaseEndsAtMs: number, limit = 2) =>
    acquireInShard(shard, { limit, nowMs, leaseEndsAtMs });
  const [lost, renewed] = [await acquire(nowMs + 5_000), await acquire(nowMs + 15_000)];
  if (!lost || !renewed) throw new Error('Both slots are free.');
  const [first, second] = [lost, renewed].map((slot) => kept.add(slot, { ...wanted, acquiredAtMs: nowMs }));
  nowMs += 10_000;
  expect(await acquire(nowMs + 60_000)).toBeDefined(); // the first one's, whose lease is over

  await kept.maintain();
  expect(second?.leaseEndsAtMs).toBe(nowMs + 15_000);
  nowMs += 10_000;
  expect(await acquire(nowMs + 15_000)).toBeUndefined();
  if (first) kept.release(first);
  expect(kept.take(wanted)).toBeUndefined();
});

test('a slot is kept for callers of its own holder, and given up where another needs it', async () => {
  const process = stage(2).start();
  expect(await call(process, 'one')).toBe(true);
  expect(await call(process, 'two')).toBe(true);
  expect(await call(process, 'three')).toBe(true);
});

test('a store that does not answer a renewal is asked again', async () => {
  const { start } = stage(1);
  const [process, other] = [start(), start()];
  await process.acquire();
  let failures = 0;
  dynamo().middlewareStack.add(
    (next) => (args) => {
      const { Key } = args.input as { Key?: { sk?: { S?: string } } };
      if (Key?.sk?.S !== 'SHARD') return next(args);
      failures++;
      throw new Error('The table is away.');
    },
    { step: 'initialize', name: 'away' },
  );
  await pass(8_000).finally(() => dynamo().middlewareStack.remove('away'));
  expect(failures).toBeGreaterThan(1);
  await pass(8_000);
  expect(await other.acquire()).toBeUndefined();
});
