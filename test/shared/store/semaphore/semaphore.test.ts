import { fork } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import {
  type DistributedSemaphore,
  distributedSemaphore,
  type LeasedSlot,
  type SlotRequest,
} from '../../../../shared/store/semaphore/semaphore.ts';
import { killedAt } from '../../../crash.ts';
import { loseNextAnswer, requestsOf } from '../requests.ts';

const freshGate = () => distributedSemaphore({ service: 'sandbox', name: crypto.randomUUID() });
const LIMITS = { limit: 20, queueLimit: 10, leaseMs: 60_000, waitMs: 0 };

// How many get in until the gate is busy.
async function fill(gate: DistributedSemaphore, entry: SlotRequest = LIMITS): Promise<LeasedSlot[]> {
  const tickets: LeasedSlot[] = [];
  for (;;) {
    const ticket = await gate.acquire(entry);
    if (!ticket) return tickets;
    tickets.push(ticket);
  }
}

// 200 callers at once, 20 places and a queue of 10. The 20 stay until the other 180 are answered or queued:
//
//   20 callers   |--in-------------------------------- out--|
//   10 callers   |--queued, polling-------------------------- in -- out--|
//  170 callers   |--busy--|
test('200 callers at once against 20 + 10: 20 inside, 10 after them, and 170 told at once that it is busy', async () => {
  const gate = freshGate();
  let inside = 0;
  let most = 0;
  let refusedAtOnce = 0;
  const refusedAll = Promise.withResolvers<void>();
  const answers = await Promise.all(
    Array.from({ length: 200 }, async () => {
      let slept = false;
      const sleep = async () => {
        slept = true;
        await refusedAll.promise;
      };
      const ticket = await gate.acquire({ ...LIMITS, waitMs: 20_000, sleep });
      if (!ticket) {
        expect(slept).toBe(false);
        refusedAtOnce++;
        if (refusedAtOnce === 170) refusedAll.resolve();
        return 'busy';
      }
      inside++;
      most = Math.max(most, inside);
      await refusedAll.promise;
      inside--;
      await gate.release(ticket);
      return 'served';
    }),
  );
  expect(most).toBeLessThanOrEqual(20);
  expect(answers.filter((answer) => answer === 'served')).toHaveLength(30);
  expect(refusedAtOnce).toBe(170);
  expect(await fill(gate)).toHaveLength(20);
});

test('a limit over several rooms holds while some enter and others leave', async () => {
  const gate = freshGate();
  const entry = { ...LIMITS, limit: 60 };
  const entered = async (callers: number) => {
    const tickets = await Promise.all(Array.from({ length: callers }, () => gate.acquire(entry)));
    return tickets.filter((ticket) => ticket !== undefined);
  };
  const inside = await entered(90);
  expect(inside).toHaveLength(60);
  const [, newcomers] = await Promise.all([Promise.all(inside.splice(0, 30).map(gate.release)), entered(60)]);
  expect(newcomers.length).toBeLessThanOrEqual(30);
  const rest = await fill(gate, entry);
  expect(inside.length + newcomers.length + rest.length).toBe(60);
});

test('a holder that is killed counts as inside until its lease ends, and then the gate is fully open again', async () => {
  const name = crypto.randomUUID();
  const gate = distributedSemaphore({ service: 'sandbox', name });
  const holder = fork(new URL('./hold-slots.ts', import.meta.url), [name, '5', '60000']);
  const [message] = await once(holder, 'message');
  expect(message).toEqual({ inside: 5 });
  holder.kill('SIGKILL');
  await once(holder, 'exit');

  const entry = { ...LIMITS, limit: 5 };
  expect(await fill(gate, entry)).toHaveLength(0);
  const afterTheLease = () => Date.now() + 60_001;
  expect(await fill(gate, { ...entry, now: afterTheLease })).toHaveLength(5);
});

test('many callers that find the same dead holders still do not enter beyond the limit', async () => {
  const gate = freshGate();
  await fill(gate);
  const later = { ...LIMITS, now: () => Date.now() + 60_001 };
  const tickets = await Promise.all(Array.from({ length: 100 }, () => gate.acquire(later)));
  expect(tickets.filter(Boolean)).toHaveLength(20);
});

test('a late holder that gives its lost place back does not free the place of its successor', async () => {
  const gate = freshGate();
  const entry = { ...LIMITS, limit: 1 };
  const late = await gate.acquire(entry);
  const later = { ...entry, now: () => Date.now() + 60_001 };
  expect(await gate.acquire(later)).toBeDefined();
  if (late) await gate.release(late);
  expect(await gate.acquire(later)).toBeUndefined();
});

test('an uncontended call costs exactly two writes', async () => {
  const gate = freshGate();
  await fill(gate).then((tickets) => Promise.all(tickets.map(gate.release)));
  const sent = await requestsOf(async () => {
    const ticket = await gate.acquire(LIMITS);
    if (ticket) await gate.release(ticket);
  });
  expect(sent).toEqual({ UpdateItem: 2 });
});

test('a waiter is let in when a place is free, and leaves the queue', async () => {
  const gate = freshGate();
  const entry = { limit: 1, queueLimit: 1, leaseMs: 60_000, waitMs: 1_000 };
  const holder = await gate.acquire(entry);
  const sleep = async () => {
    if (holder) await gate.release(holder);
  };
  const waiter = await gate.acquire({ ...entry, sleep });
  expect(waiter).toBeDefined();

  const clock = ticking();
  const sent = await requestsOf(() => gate.acquire({ ...entry, ...clock }));
  expect(clock.sleeps).toBeGreaterThan(2);
  expect(sent.UpdateItem).toBeGreaterThan(3);
});

test('a waiter whose time is over is told busy and gives its place in the queue back', async () => {
  const gate = freshGate();
  const entry = { limit: 1, queueLimit: 1, leaseMs: 600_000, waitMs: 1_000 };
  await gate.acquire(entry);
  for (let i = 0; i < 3; i++) {
    const clock = ticking();
    expect(await gate.acquire({ ...entry, ...clock })).toBeUndefined();
    expect(clock.sleeps).toBeGreaterThan(2);
    expect(clock.passedMs()).toBeLessThanOrEqual(1_001);
  }
});

test('a waiter that is killed frees its place in the queue when its lease ends', async () => {
  const gate = freshGate();
  const entry = { limit: 1, queueLimit: 1, leaseMs: 600_000, waitMs: 1_000 };
  await gate.acquire(entry);
  // Its first write finds no place, its second no queue, its third makes one and takes a place in it.
  expect(await killedAt(3, 'after', () => gate.acquire(entry))).toBe(true);
  const full = ticking();
  await gate.acquire({ ...entry, ...full });
  expect(full.sleeps).toBe(0);
  const healed = ticking(11_001);
  await gate.acquire({ ...entry, ...healed });
  expect(healed.sleeps).toBeGreaterThan(0);
});

test('limits may change between calls, up and down', async () => {
  const gate = freshGate();
  const before = await fill(gate, { ...LIMITS, limit: 30 });
  expect(before).toHaveLength(30);
  await Promise.all(before.map(gate.release));
  expect(await fill(gate, { ...LIMITS, limit: 4 })).toHaveLength(4);
  expect(await fill(gate, { ...LIMITS, limit: 7 })).toHaveLength(3);
});

test('a limit lowered while dead holders are inside heals to the new limit', async () => {
  const gate = freshGate();
  await fill(gate, { ...LIMITS, limit: 25 });
  const later = { ...LIMITS, limit: 3, now: () => Date.now() + 60_001 };
  expect(await fill(gate, later)).toHaveLength(3);
});

test('a gate of nobody lets nobody in', async () => {
  expect(await freshGate().acquire({ ...LIMITS, limit: 0, queueLimit: 0 })).toBeUndefined();
});

test('an entry whose answer was lost is one place, not two', async () => {
  const gate = freshGate();
  const entry = { ...LIMITS, limit: 2 };
  await gate.acquire(entry);
  loseNextAnswer('UpdateItem');
  expect(await gate.acquire(entry)).toBeDefined();
  expect(await gate.acquire(entry)).toBeUndefined();
});

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
