import { describe, expect, test } from 'vitest';
import { removeWebhook, replaceWebhook } from '../../../../shared/webhooks/registrations/registrations.ts';
import { answering } from '../a-receiver.ts';
import { anEngine } from '../an-engine.ts';
import { dueMessages } from '../deliver-due.ts';
import { receiversOfATest } from '../receivers.ts';
import { forgetEvent, recordOf } from '../stored.ts';

const receiver = receiversOfATest();
const many = (count: number) => Array.from({ length: count }, () => ({}));

describe('deliveries of one webhook', () => {
  test('are all made, each once', async () => {
    const inbox = await receiver();
    const { register, happen, run, all } = anEngine({ policy: { concurrency: 3 } });
    const { id } = await register({ url: inbox.url });
    const recorded = [];
    for (let n = 0; n < 6; n++) recorded.push(...(await happen(...many(20))));
    await run(id);
    expect(inbox.ids().toSorted()).toEqual(recorded.toSorted());
    expect((await all(id)).filter(({ state }) => state === 'Confirmed')).toHaveLength(120);
  });

  test('have no more attempts under way than the policy says, and as many', async () => {
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
  test('wait for a free slot and not for each other: an answer that is late holds its own slot only', async () => {
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

  test('are given up where their event is not kept any more', async () => {
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
    expect(await recordOf(engine, id, eventId)).toBeUndefined();
  });
});

describe('a message', () => {
  test('with nothing to send takes no slot from those that have', async () => {
    const returned = Promise.withResolvers<void>();
    const inbox = await receiver(async (_, response) => {
      if (inbox.received.length === 2) await returned.promise;
      response.end();
    });
    const { engine, register, happen, runMessages } = anEngine({
      policy: { concurrency: 1 },
      pacing: { patienceMs: { quick: 1, slow: 1 } },
    });
    const { id } = await register({ url: inbox.url });
    await happen();
    const done = await dueMessages(engine, id);
    await runMessages(done);
    await happen();
    const late = runMessages(await dueMessages(engine, id));
    await expect.poll(() => inbox.received).toHaveLength(2);
    expect(await runMessages(done)).toEqual([undefined]);
    returned.resolve();
    await late;
  });

  test('that comes again after its attempt is not sent again, whatever came of it', async () => {
    const inbox = await receiver((_, response) =>
      response.writeHead(inbox.received.length === 1 ? 500 : 200).end(),
    );
    const { engine, register, happen, runMessages, pass, all } = anEngine();
    const { id } = await register({ url: inbox.url });
    await happen();
    const first = await dueMessages(engine, id);
    await runMessages(first);
    pass(60_000);
    expect(await runMessages(first)).toEqual([undefined]);
    const second = await dueMessages(engine, id);
    await runMessages(second);
    expect(await runMessages([...first, ...second])).toEqual([undefined, undefined]);
    expect(inbox.received).toHaveLength(2);
    expect(await all(id)).toMatchObject([{ state: 'Confirmed', attempts: 2 }]);
  });

  test('that comes before its time leaves its outbox record, which brings it back', async () => {
    const inbox = await receiver();
    const { engine, owner, register, happen, runMessages } = anEngine();
    const { id } = await register({ url: inbox.url });
    const [eventId = ''] = await happen({ delaySeconds: 60 });
    expect(await runMessages([{ owner, webhookId: id, eventId, attempt: 1 }])).toEqual(['forgotten']);
    expect(inbox.received).toEqual([]);
    expect(await recordOf(engine, id, eventId)).toBeDefined();
  });

  // worker 1  |--POST------- stalls ----------------------- records: refused
  // worker 2             |--the same message--POST--records
  test('that two workers have at once has one result that counts', async () => {
    const inbox = await receiver(async (_, response) => {
      if (inbox.received.length === 1) await run(id);
      response.end();
    });
    const { engine, register, happen, run, read } = anEngine();
    const { id } = await register({ url: inbox.url });
    const [eventId = ''] = await happen();
    await run(id);
    expect(inbox.ids()).toEqual([eventId, eventId]);
    expect((await read(id, eventId)).delivery).toMatchObject({ state: 'Confirmed', attempts: 1 });
    expect(await recordOf(engine, id, eventId)).toBeUndefined();
  });
});

describe('a webhook that is removed', () => {
  test('is not called any more, and what waits for it is deleted when its time comes', async () => {
    const inbox = await receiver(answering(500));
    const { engine, owner, register, happen, run, all, pass } = anEngine();
    const { id } = await register({ url: inbox.url });
    const waiting = await happen(...many(3));
    await run(id);
    const [fresh = ''] = await happen();
    expect(await removeWebhook(engine, owner, id)).toBe(true);
    pass(15_000);
    await run(id);
    expect(await all(id)).toEqual([]);
    expect(inbox.received).toHaveLength(3);
    for (const eventId of [...waiting, fresh]) expect(await recordOf(engine, id, eventId)).toBeUndefined();
  });

  test('while it is served is called no more', async () => {
    const inbox = await receiver(async (_, response) => {
      await removeWebhook(engine, owner, id);
      response.end();
    });
    const { engine, owner, register, happen, run, all } = anEngine({ policy: { concurrency: 1 } });
    const { id } = await register({ url: inbox.url });
    await happen(...many(5));
    await run(id);
    expect(inbox.received).toHaveLength(1);
    expect((await all(id)).map(({ state }) => state)).toEqual(['Confirmed']);
  });
});

test('a webhook that is changed while it is served is followed to its new address', async () => {
  const next = await receiver();
  const inbox = await receiver(async (_, response) => {
    await replaceWebhook(engine, owner, id, { url: next.url, authType: 'NoAuth' });
    response.end();
  });
  const { engine, owner, register, happen, run } = anEngine({ policy: { concurrency: 1 } });
  const { id } = await register({ url: inbox.url });
  await happen(...many(5));
  await run(id);
  expect([inbox.received.length, next.received.length]).toEqual([1, 4]);
});
