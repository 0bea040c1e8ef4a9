import { describe, expect, test } from 'vitest';
import { claimQueue, clearingTimer, releaseQueue } from '../../../../shared/webhooks/queue/delivery-queue.ts';
import { anEngine } from '../an-engine.ts';
import { receiversOfATest } from '../receivers.ts';
import { laneItem, timerOf } from '../stored.ts';

const receiver = receiversOfATest();

// Turn 10 s, attempt 5 s, recording 15 s.
const LEASE_MS = 30_000;
const SETTLED_MS = 60_000;

const lane = () => {
  const world = anEngine();
  const id = { owner: world.owner, webhookId: crypto.randomUUID() };
  const take = (look: 'new' | 'again' = 'new') => claimQueue(world.engine, id, look, 'quick');
  const taken = async () => {
    const held = await take();
    if (typeof held === 'string') throw new Error(held);
    return held;
  };
  return { ...world, id, take, taken };
};
const leaving = { marks: {}, anyway: false };

describe('a lane', () => {
  test('is worked on by one runner at a time, however many are woken', async () => {
    const inbox = await receiver((_, response) => setTimeout(() => response.end(), 100));
    const { register, happen, run } = anEngine();
    const { id } = await register({ url: inbox.url });
    await happen();
    const ran = await Promise.all(Array.from({ length: 8 }, () => run(id)));
    expect(ran.toSorted()).toEqual([...Array(7).fill('held'), 'ran']);
    expect(inbox.received).toHaveLength(1);
  });

  // runner     |--takes--looks: nothing ------- leaves: refused, it was woken
  // recorder         |--commits--wakes: held
  test('is not left by a runner that was woken since it took it', async () => {
    const { engine, id, take, taken } = lane();
    const { held } = await taken();
    expect(await take()).toBe('held');
    const without = { ...leaving, timer: clearingTimer(engine, id) };
    expect(await releaseQueue(engine, held, without)).toBe('woken');
    expect(await releaseQueue(engine, held, without)).toBe('left');
  });

  test('is left by a runner that only the timer would have woken', async () => {
    const { engine, id, take, taken } = lane();
    const { held } = await taken();
    expect(await take('again')).toBe('held');
    expect(await releaseQueue(engine, held, { ...leaving, timer: clearingTimer(engine, id) })).toBe('left');
  });

  // runner 1  |--takes (fence 1)------- stalls -------------------- leaves: lost
  // runner 2               lease ends  |--takes (fence 2)--------------- leaves
  test('belongs to the newest runner, and one that stalled past its lease cannot give it away', async () => {
    const { engine, id, taken, pass, take } = lane();
    const first = await taken();
    pass(LEASE_MS - 1);
    expect(await take()).toBe('held');
    pass(1);
    const second = await taken();
    expect(second.held.fence).toBe((first.held.fence ?? 0) + 1);
    const without = { ...leaving, timer: clearingTimer(engine, id) };
    expect(await releaseQueue(engine, first.held, without)).toBe('lost');
    expect(await releaseQueue(engine, second.held, without)).toBe('left');
  });

  test('has a timer a little after the lease while it is held, so that a killed runner is noticed', async () => {
    const { engine, id, taken, now } = lane();
    const { held } = await taken();
    expect(await timerOf(engine, id.webhookId)).toBe(now() + LEASE_MS + 2_000);
    await releaseQueue(engine, held, { ...leaving, timer: clearingTimer(engine, id) });
    expect(await timerOf(engine, id.webhookId)).toBeUndefined();
    await taken();
    expect(await timerOf(engine, id.webhookId)).toBe(now() + LEASE_MS + 2_000);
  });

  test('that was woken under a killed runner is looked at as new by the next', async () => {
    const { take, taken, pass } = lane();
    await taken();
    await take('new');
    pass(LEASE_MS);
    expect(await take('again')).toMatchObject({ isNew: true });
  });
});

describe('the timer of a lane', () => {
  test('looks once more a minute after a wake-up, in case the index was behind', async () => {
    const inbox = await receiver();
    const { engine, register, happen, run, now } = anEngine();
    const { id } = await register({ url: inbox.url });
    await happen();
    await run(id);
    expect(await timerOf(engine, id)).toBe(now() + SETTLED_MS);
  });

  test('is gone after a look at a time that was set finds nothing more to come', async () => {
    const inbox = await receiver();
    const { engine, register, happen, run } = anEngine();
    const { id } = await register({ url: inbox.url });
    await happen();
    await run(id);
    await run(id, 'quick', 'again');
    expect(await timerOf(engine, id)).toBeUndefined();
  });

  test('is set for the next attempt, however far away', async () => {
    const inbox = await receiver((_, response) => response.writeHead(503, { 'retry-after': '3000' }).end());
    const { engine, register, happen, run, now } = anEngine();
    const { id } = await register({ url: inbox.url });
    await happen();
    await run(id);
    await run(id, 'quick', 'again');
    expect(await timerOf(engine, id)).toBe(now() + 3_000_000);
  });

  test('is the earlier of the two after a wake-up', async () => {
    const inbox = await receiver((_, response) => response.writeHead(503).end());
    const { engine, register, happen, run, now } = anEngine();
    const { id } = await register({ url: inbox.url });
    await happen();
    await run(id);
    expect(await timerOf(engine, id)).toBe(now() + 15_000 + 15_000);
    expect(await laneItem(engine, id)).toMatchObject({ alarmAtMs: now() + 15_000 });
  });
});
