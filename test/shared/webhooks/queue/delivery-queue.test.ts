import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { dynamo } from '../../../../shared/store/client.ts';
import { claimQueue } from '../../../../shared/webhooks/queue/claim.ts';
import { clearingTimer, releaseQueue } from '../../../../shared/webhooks/queue/delivery-queue.ts';
import { anEngine } from '../an-engine.ts';
import { receiversOfATest } from '../receivers.ts';
import { queueItem, timerOf } from '../stored.ts';

const receiver = receiversOfATest();
afterEach(() => {
  vi.restoreAllMocks();
});

// Turn 10 s, attempt 5 s, recording 15 s.
const LEASE_MS = 30_000;
const SETTLED_MS = 60_000;

const queue = () => {
  const world = anEngine();
  const id = { owner: world.owner, webhookId: crypto.randomUUID() };
  const claim = (look: 'new' | 'again' = 'new') => claimQueue(world.engine, id, look, 'quick');
  const claimed = async () => {
    const held = await claim();
    if (typeof held === 'string') throw new Error(held);
    return held;
  };
  return { ...world, id, claim, claimed };
};
const releasing = { marks: {}, evenIfWoken: false };

describe('a delivery queue', () => {
  test('is worked on by one runner at a time, however many are woken', async () => {
    // Answered when the other seven have found it held.
    const answering = Promise.withResolvers<void>();
    const inbox = await receiver(async (_, response) => {
      await answering.promise;
      response.end();
    });
    const { register, happen, run } = anEngine();
    const { id } = await register({ url: inbox.url });
    await happen();
    let ended = 0;
    const wake = async () => {
      const outcome = await run(id);
      if (++ended === 7) answering.resolve();
      return outcome;
    };
    const ran = await Promise.all(Array.from({ length: 8 }, wake));
    expect(ran.toSorted()).toEqual([...Array(7).fill('held'), 'ran']);
    expect(inbox.received).toHaveLength(1);
  });

  // runner     |--claims--looks: nothing ------- releases: refused, it was woken
  // recorder         |--commits--wakes: held
  test('is not released by a runner that was woken since it claimed it', async () => {
    const { engine, id, claim, claimed } = queue();
    const { held } = await claimed();
    expect(await claim()).toBe('held');
    const without = { ...releasing, timer: clearingTimer(engine, id) };
    expect(await releaseQueue(engine, held, without)).toBe('woken');
    expect(await releaseQueue(engine, held, without)).toBe('released');
  });

  test('is released by a runner that only the timer would have woken', async () => {
    const { engine, id, claim, claimed } = queue();
    const { held } = await claimed();
    expect(await claim('again')).toBe('held');
    expect(await releaseQueue(engine, held, { ...releasing, timer: clearingTimer(engine, id) })).toBe(
      'released',
    );
  });

  // runner 1  |--claims (fence 1)------- stalls -------------------- releases: lost
  // runner 2               lease ends  |--claims (fence 2)--------------- releases
  test('belongs to the newest runner, and one that stalled past its lease cannot release it', async () => {
    const { engine, id, claimed, pass, claim } = queue();
    const first = await claimed();
    pass(LEASE_MS - 1);
    expect(await claim()).toBe('held');
    pass(1);
    const second = await claimed();
    expect(second.held.fence).toBe((first.held.fence ?? 0) + 1);
    const without = { ...releasing, timer: clearingTimer(engine, id) };
    expect(await releaseQueue(engine, first.held, without)).toBe('lost');
    expect(await releaseQueue(engine, second.held, without)).toBe('released');
  });

  test('has a timer a little after the lease while it is held, so that a killed runner is noticed', async () => {
    const { engine, id, claimed, now } = queue();
    const { held } = await claimed();
    expect(await timerOf(engine, id.webhookId)).toBe(now() + LEASE_MS + 2_000);
    await releaseQueue(engine, held, { ...releasing, timer: clearingTimer(engine, id) });
    expect(await timerOf(engine, id.webhookId)).toBeUndefined();
    await claimed();
    expect(await timerOf(engine, id.webhookId)).toBe(now() + LEASE_MS + 2_000);
  });

  test('that was woken under a killed runner is looked at as new by the next', async () => {
    const { claim, claimed, pass } = queue();
    await claimed();
    await claim('new');
    pass(LEASE_MS);
    expect(await claim('again')).toMatchObject({ isNew: true });
  });
});

describe('a delivery queue that a wake-up with named deliveries claims', () => {
  const namedQueue = () => {
    const world = queue();
    const claimNamed = () => claimQueue(world.engine, world.id, 'new', 'quick', true);
    const held = async () => {
      const claimed = await claimNamed();
      if (typeof claimed === 'string') throw new Error(claimed);
      return claimed;
    };
    return { ...world, claimNamed, held };
  };
  test('has no timer while nobody else asks for it', async () => {
    const { engine, id, held } = namedQueue();
    const claimed = await held();
    expect(claimed).toMatchObject({ isNamed: true, isNew: false, held: { fence: 1, untimed: true } });
    expect(await timerOf(engine, id.webhookId)).toBeUndefined();
    expect(await releaseQueue(engine, claimed.held, releasing)).toBe('released');
    expect(await timerOf(engine, id.webhookId)).toBeUndefined();
    expect(await held()).toMatchObject({ isNamed: true, held: { fence: 2 } });
  });

  // runner     |--claims, untimed--POST-------------- releases: refused, it was woken
  // another            |--held: marks it woken, sets the timer--its own record may go
  test.each(['new', 'again'] as const)(
    'gets the timer from any other wake-up, which its runner then knows of: %s',
    async (look) => {
      const { engine, id, claim, held, now } = namedQueue();
      const claimed = await held();
      expect(await claim(look)).toBe('held');
      expect(await timerOf(engine, id.webhookId)).toBe(now() + LEASE_MS + 2_000);
      expect(await releaseQueue(engine, claimed.held, releasing)).toBe('woken');
      expect(await timerOf(engine, id.webhookId)).toBe(now() + LEASE_MS + 2_000);
    },
  );

  test('from a runner that was killed is looked through for all that the runner had', async () => {
    const { engine, id, held, pass, now } = namedQueue();
    await held();
    pass(LEASE_MS);
    const second = await held();
    expect(second).toMatchObject({ isNamed: false, isNew: true, held: { fence: 2 } });
    expect(second.held.untimed).toBeUndefined();
    expect(await timerOf(engine, id.webhookId)).toBe(now() + LEASE_MS + 2_000);
  });

  // client    |--claims------ no answer ------claims again: refused, and finds its own claim
  // DynamoDB       claimed
  test('is not lost to a claim of its own whose answer was lost', async () => {
    const { held } = namedQueue();
    const { send } = dynamo();
    vi.spyOn(dynamo(), 'send').mockImplementation(async (command: unknown) => {
      const sent = () => Reflect.apply(send, dynamo(), [command]);
      if (command instanceof UpdateItemCommand) await sent();
      return sent();
    });
    expect(await held()).toMatchObject({ isNamed: true, held: { fence: 1, untimed: true } });
  });
});

describe('the timer of a delivery queue', () => {
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
    expect(await queueItem(engine, id)).toMatchObject({ alarmAtMs: now() + 15_000 });
  });
});
