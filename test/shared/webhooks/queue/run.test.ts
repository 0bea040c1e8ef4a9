import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { removeWebhook, replaceWebhook } from '../../../../shared/webhooks/registrations/registrations.ts';
import { aQueue } from '../../queue/a-queue.ts';
import { answering } from '../a-receiver.ts';
import { anEngine } from '../an-engine.ts';
import { receiversOfATest } from '../receivers.ts';
import { forgetEvent, queueItem, timerOf } from '../stored.ts';

const receiver = receiversOfATest();
// A change of a webhook is seen within half a second.
const SEEN_MS = 600;
// While answers are awaited, new deliveries are looked for at this interval.
const LOOK_MS = 500;
const many = (count: number) => Array.from({ length: count }, () => ({}));

describe('a run', () => {
  test('delivers all that is due, each once and in any number of pages', async () => {
    const inbox = await receiver();
    const { register, happen, run, all } = anEngine({ policy: { concurrency: 3 } });
    const { id } = await register({ url: inbox.url });
    const recorded = [];
    for (let n = 0; n < 6; n++) recorded.push(...(await happen(...many(20))));
    await run(id);
    expect(inbox.ids().toSorted()).toEqual(recorded.toSorted());
    expect((await all(id)).filter(({ state }) => state === 'Confirmed')).toHaveLength(120);
  });

  test('has no more attempts under way than the policy says, and as many', async () => {
    // The first answer waits for the fourth attempt.
    const together = Promise.withResolvers<void>();
    const inbox = await receiver(async (_, response) => {
      if (inbox.received.length === 4) together.resolve();
      await together.promise;
      setTimeout(() => response.end(), 20);
    });
    const { register, happen, run } = anEngine({ policy: { concurrency: 4 } });
    const { id } = await register({ url: inbox.url });
    await happen(...many(20));
    await run(id);
    expect(inbox.mostAtOnce()).toBe(4);
  });

  // slot 1  |--a------------------------------------------------ answered when all others are in --|
  // slot 2  |--b--|--c--|--d--| ...
  test('gives each slot the next delivery at once: an answer that is late holds its own slot only', async () => {
    let answerLate: (() => void) | undefined;
    const inbox = await receiver((_, response) => {
      if (!answerLate) answerLate = () => response.end();
      else response.end();
      if (inbox.received.length === 30) answerLate();
    });
    const { register, happen, run, all } = anEngine({ policy: { concurrency: 2 } });
    const { id } = await register({ url: inbox.url });
    await happen(...many(15));
    await happen(...many(15));
    await run(id);
    expect((await all(id)).filter(({ state }) => state === 'Confirmed')).toHaveLength(30);
  });

  test('takes in what is recorded while it waits for an answer', async () => {
    const inbox = await receiver(async (_, response) => {
      if (inbox.received.length === 1) {
        await happen();
        pass(LOOK_MS);
        while (inbox.received.length < 2) await pause(10);
      }
      response.end();
    });
    const { register, happen, run, all, pass } = anEngine();
    const { id } = await register({ url: inbox.url });
    await happen();
    await run(id);
    expect((await all(id)).map(({ state }) => state)).toEqual(['Confirmed', 'Confirmed']);
  });

  test('slows down for a receiver whose attempts all fail', async () => {
    const inbox = await receiver(answering(500));
    const pacing = { failingIntervalMs: 1e9, turnMs: { quick: 1_000, slow: 1_000 } };
    const { engine, register, happen, run } = anEngine({ policy: { concurrency: 2 }, pacing });
    const { id } = await register({ url: inbox.url });
    await happen(...many(12));
    const realTime = { ...engine, now: Date.now };
    const runReal = () => run(id, 'quick', 'new', realTime);
    await runReal();
    const first = inbox.received.length;
    expect(first).toBeLessThanOrEqual(4);
    expect(await queueItem(engine, id)).toMatchObject({ failing: true });
    await runReal();
    expect(inbox.received.length).toBe(first + 1);
  });

  test('gives a delivery up whose event is not kept any more', async () => {
    const inbox = await receiver(answering(500));
    const { engine, register, happen, run, retry, read } = anEngine();
    const { id } = await register({ url: inbox.url });
    const [eventId = ''] = await happen();
    await run(id);
    await forgetEvent(engine, eventId);
    await retry(id);
    expect((await read(id, eventId)).delivery).toMatchObject({
      state: 'Exhausted',
      last: { error: 'The event is not kept any more.' },
    });
  });
});

describe('a webhook that is removed', () => {
  test('is not called any more: what waits for it goes with it', async () => {
    const inbox = await receiver(answering(500));
    const { engine, owner, register, happen, run, retry, all } = anEngine();
    const { id } = await register({ url: inbox.url });
    await happen(...many(3));
    await run(id);
    await happen();
    expect(await removeWebhook(engine, owner, id)).toBe(true);
    await run(id);
    expect(await all(id)).toEqual([]);
    await retry(id);
    expect(inbox.received).toHaveLength(3);
  });

  test('leaves nothing that waits for it, however much that is', async () => {
    const { engine, owner, register, happen, run, all } = anEngine();
    const { id } = await register({ url: 'http://127.0.0.1:9/' });
    for (let n = 0; n < 6; n++) await happen(...many(20));
    await removeWebhook(engine, owner, id);
    await run(id);
    expect(await all(id)).toEqual([]);
  });

  test('leaves no queue and no timer behind', async () => {
    const inbox = await receiver();
    const { engine, owner, register, happen, run } = anEngine();
    const { id } = await register({ url: inbox.url });
    await happen();
    await removeWebhook(engine, owner, id);
    await run(id);
    await run(id, 'quick', 'again');
    expect(await queueItem(engine, id)).toBeUndefined();
    expect(await timerOf(engine, id)).toBeUndefined();
  });

  test('while it is served is called no more once that is seen', async () => {
    const inbox = await receiver(async (_, response) => {
      await removeWebhook(engine, owner, id);
      pass(SEEN_MS);
      response.end();
    });
    const { engine, owner, register, happen, run, all, pass } = anEngine({ policy: { concurrency: 1 } });
    const { id } = await register({ url: inbox.url });
    await happen(...many(5));
    await run(id);
    expect(inbox.received).toHaveLength(1);
    expect((await all(id)).map(({ state }) => state)).toEqual(['Confirmed']);
  });
});

describe('a webhook that is changed while it is served', () => {
  test('is followed to its new address', async () => {
    const next = await receiver();
    const inbox = await receiver(async (_, response) => {
      await replaceWebhook(engine, owner, id, { url: next.url, authType: 'NoAuth' });
      pass(SEEN_MS);
      response.end();
    });
    const { engine, owner, register, happen, run, pass } = anEngine({ policy: { concurrency: 1 } });
    const { id } = await register({ url: inbox.url });
    await happen(...many(5));
    await run(id);
    expect([inbox.received.length, next.received.length]).toEqual([1, 4]);
  });
});

describe('a slow receiver', () => {
  const slowWorld = async (answerMs: () => number) => {
    const inbox = await receiver((_, response) => {
      world.pass(answerMs());
      response.end();
    });
    const quick = await aQueue();
    const slow = await aQueue(`${quick.name}-slow`);
    const world = anEngine({
      service: 'sandbox',
      queue: quick.name,
      policy: { concurrency: 2 },
      pacing: { slowAfterMs: 60 },
    });
    const { id } = await world.register({ url: inbox.url });
    return { ...world, inbox, quick, slow, id };
  };

  test('leaves the quick queue after the attempts under way, and continues in the slow one', async () => {
    const { inbox, quick, slow, id, happen, run, all, engine } = await slowWorld(() => 300);
    await happen(...many(6));
    await run(id);
    expect(inbox.received.length).toBe(2);
    expect(await queueItem(engine, id)).toMatchObject({ slow: 3 });
    expect((await quick.messages()).length).toBe(0);
    expect((await slow.messages()).map(({ body }) => JSON.parse(body))).toMatchObject([
      { webhookIds: [id], look: 'new' },
    ]);
    await run(id, 'slow');
    expect((await all(id)).filter(({ state }) => state === 'Confirmed')).toHaveLength(6);
  });

  test('is sent on to the slow by those who find it among the quick', async () => {
    const { slow, id, happen, run, inbox } = await slowWorld(() => 200);
    await happen();
    await run(id);
    await slow.messages();
    await happen();
    expect(await run(id)).toBe('slow');
    expect(inbox.received).toHaveLength(1);
    expect(await slow.messages()).toHaveLength(1);
  });

  test('is among the quick again after three turns without a slow answer', async () => {
    let answerMs = 200;
    const { id, happen, run, engine } = await slowWorld(() => answerMs);
    await happen();
    await run(id);
    answerMs = 0;
    for (const left of [2, 1, undefined]) {
      await happen();
      await run(id, 'slow');
      expect((await queueItem(engine, id))?.slow).toBe(left);
    }
    await happen();
    expect(await run(id)).toBe('ran');
  });

  test('stays among the slow through turns in which nothing was to be sent', async () => {
    const { id, happen, run, engine } = await slowWorld(() => 200);
    await happen();
    await run(id);
    await run(id, 'slow', 'again');
    expect(await queueItem(engine, id)).toMatchObject({ slow: 3 });
  });
});
