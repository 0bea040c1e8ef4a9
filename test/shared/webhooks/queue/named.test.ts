import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { dynamo } from '../../../../shared/store/client.ts';
import { dropCachedWebhooks } from '../../../../shared/webhooks/registrations/lookup.ts';
import { removeWebhook } from '../../../../shared/webhooks/registrations/registrations.ts';
import { aQueue } from '../../queue/a-queue.ts';
import { answering } from '../a-receiver.ts';
import { anEngine } from '../an-engine.ts';
import { receiversOfATest } from '../receivers.ts';
import { queueItem, timerOf } from '../stored.ts';

const receiver = receiversOfATest();
afterEach(() => {
  vi.restoreAllMocks();
});
const many = (count: number) => Array.from({ length: count }, () => ({}));

/** An index that has nothing yet: that of the embedded store is never behind. */
function holdIndexBack(): () => void {
  const { send } = dynamo();
  const spy = vi.spyOn(dynamo(), 'send').mockImplementation((command: unknown) => {
    const isOnIndex = command instanceof QueryCommand && command.input.IndexName === 'due';
    return isOnIndex ? Promise.resolve({ Items: [] }) : Reflect.apply(send, dynamo(), [command]);
  });
  return () => spy.mockRestore();
}

describe('a wake-up that names its deliveries', () => {
  test('has them delivered without the index, and leaves a released queue without a timer', async () => {
    const inbox = await receiver();
    const { engine, register, happen, runNamed, all } = anEngine();
    const { id } = await register({ url: inbox.url });
    const eventIds = await happen(...many(3));
    const letGo = holdIndexBack();
    expect(await runNamed(id, eventIds)).toBe('ran');
    letGo();
    expect(inbox.ids().toSorted()).toEqual(eventIds.toSorted());
    expect((await all(id)).map(({ state }) => state)).toEqual(Array(3).fill('Confirmed'));
    expect(await timerOf(engine, id)).toBeUndefined();
    const queue = await queueItem(engine, id);
    expect(queue).toMatchObject({ webhookId: id, fence: 1 });
    for (const mark of ['leaseEndsAtMs', 'untimed', 'woken']) expect(queue).not.toHaveProperty(mark);
  });

  test('that comes twice has each delivered once', async () => {
    const inbox = await receiver();
    const { register, happen, runNamed } = anEngine();
    const { id } = await register({ url: inbox.url });
    const eventIds = await happen();
    await runNamed(id, eventIds);
    expect(await runNamed(id, eventIds)).toBe('ran');
    expect(inbox.ids()).toEqual(eventIds);
  });

  test('leaves the timer of other deliveries as it is', async () => {
    const inbox = await receiver(({ body }, response) =>
      response.writeHead(body.includes('bad') ? 500 : 200).end(),
    );
    const { engine, register, happen, run, runNamed } = anEngine();
    const { id } = await register({ url: inbox.url });
    await happen({ data: 'bad' });
    await run(id);
    const [timer, { alarmAtMs } = {}] = [await timerOf(engine, id), await queueItem(engine, id)];
    expect(timer).toBeDefined();
    await runNamed(id, await happen({ data: 'good' }));
    expect(inbox.received).toHaveLength(2);
    expect(await timerOf(engine, id)).toBe(timer);
    expect(await queueItem(engine, id)).toMatchObject({ alarmAtMs });
  });

  // runner   |--POST: 500--records the next attempt--looks: the index has nothing yet--leaves with the timer for it
  test('has a failed one attempted again, even if the index does not have the next attempt yet', async () => {
    const inbox = await receiver(answering(503));
    const { engine, register, happen, runNamed, now } = anEngine();
    const { id } = await register({ url: inbox.url });
    const eventIds = await happen();
    holdIndexBack();
    await runNamed(id, eventIds);
    expect(await timerOf(engine, id)).toBe(now() + 15_000 + 15_000);
    expect(await queueItem(engine, id)).toMatchObject({ alarmAtMs: now() + 15_000 });
  });

  test('before their time has them delivered at their time', async () => {
    const inbox = await receiver();
    const { engine, register, happen, runNamed, run, pass, now } = anEngine();
    const { id } = await register({ url: inbox.url });
    const eventIds = await happen({ delaySeconds: 60 });
    await runNamed(id, eventIds);
    expect(inbox.received).toEqual([]);
    expect(await timerOf(engine, id)).toBe(now() + 60_000 + 15_000);
    pass(60_000);
    await run(id, 'quick', 'again');
    expect(inbox.ids()).toEqual(eventIds);
  });

  test('goes by the index while all attempts fail, so that they stay spaced out', async () => {
    const inbox = await receiver(answering(500));
    const pacing = { failingIntervalMs: 1e9, turnMs: { quick: 300, slow: 300 } };
    const world = anEngine({ policy: { concurrency: 2 }, pacing });
    const { register, happen, runNamed } = world;
    const engine = { ...world.engine, now: Date.now };
    const { id } = await register({ url: inbox.url });
    await runNamed(id, await happen({}, {}), engine);
    expect(inbox.received).toHaveLength(2);
    expect(await queueItem(engine, id)).toMatchObject({ failing: true });
    await runNamed(id, await happen({}, {}), engine);
    expect(inbox.received).toHaveLength(3);
  });

  test('of a slow webhook is sent on to the slow, without the names', async () => {
    const inbox = await receiver((_, response) => {
      pass(300);
      response.end();
    });
    const quick = await aQueue();
    const slow = await aQueue(`${quick.name}-slow`);
    const world = anEngine({ service: 'sandbox', queue: quick.name, pacing: { slowAfterMs: 60 } });
    const { engine, owner, register, happen, runNamed, pass } = world;
    const { id } = await register({ url: inbox.url });
    await runNamed(id, await happen());
    expect(await queueItem(engine, id)).toMatchObject({ slow: 3 });
    expect(await runNamed(id, await happen())).toBe('slow');
    expect((await slow.messages()).map(({ body }) => JSON.parse(body))).toEqual([
      { owner, webhookIds: [id], look: 'new' },
    ]);
    expect(inbox.received).toHaveLength(1);
  });

  // slot 1   |--a: slow---------------|--the turn is over, b is left
  // index    (still) without b                              last look: |--finds b
  test('that a slow answer ends too early leaves a last look for the others', async () => {
    const inbox = await receiver((_, response) => {
      pass(300);
      response.end();
    });
    const world = anEngine({ policy: { concurrency: 1 }, pacing: { slowAfterMs: 60 } });
    const { engine, register, happen, run, runNamed, pass, now } = world;
    const { id } = await register({ url: inbox.url });
    const eventIds = await happen({}, {});
    const letGo = holdIndexBack();
    await runNamed(id, eventIds);
    letGo();
    expect(inbox.received).toHaveLength(1);
    expect(await timerOf(engine, id)).toBe(now() + 60_000);
    pass(60_000);
    await run(id, 'slow', 'again');
    expect(inbox.ids()).toEqual(eventIds);
  });

  test('of a webhook that was removed has none sent, and leaves none behind', async () => {
    const inbox = await receiver();
    const { engine, owner, register, happen, run, runNamed, all } = anEngine();
    const { id } = await register({ url: inbox.url });
    const eventIds = await happen({}, {});
    await removeWebhook(engine, owner, id);
    await runNamed(id, eventIds);
    expect(await all(id)).toEqual([]);
    await run(id, 'quick', 'again');
    expect(inbox.received).toEqual([]);
    expect(await queueItem(engine, id)).toBeUndefined();
    expect(await timerOf(engine, id)).toBeUndefined();
  });

  // runner 1  |--claims--POST------- stalls ----------------------- leaves with its result: refused, lost
  // runner 2             lease ends  |--claims--POST--records--releases
  test('whose runner stalls past its lease has one result that counts, and one release', async () => {
    const inbox = await receiver(async (_, response) => {
      if (inbox.received.length === 1) {
        pass(31_000);
        await run(id, 'quick', 'again');
      }
      response.end();
    });
    const { engine, register, happen, run, runNamed, pass, read } = anEngine();
    const { id } = await register({ url: inbox.url });
    const eventIds = await happen();
    expect(await runNamed(id, eventIds)).toBe('lost');
    expect(inbox.ids()).toEqual([...eventIds, ...eventIds]);
    expect((await read(id, eventIds[0] ?? '')).delivery).toMatchObject({ state: 'Confirmed', attempts: 1 });
    const queue = await queueItem(engine, id);
    expect(queue).toMatchObject({ fence: 2 });
    expect(queue).not.toHaveProperty('leaseEndsAtMs');
  });

  test('reads the webhook where the cache has none', async () => {
    const inbox = await receiver();
    const { engine, owner, register, happen, runNamed } = anEngine();
    const { id } = await register({ url: inbox.url });
    const eventIds = await happen();
    dropCachedWebhooks(engine, owner);
    await runNamed(id, eventIds);
    expect(inbox.ids()).toEqual(eventIds);
  });
});
