import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { logger } from '../../../../shared/log/logger.ts';
import { dynamo } from '../../../../shared/store/client.ts';
import { DeliveryMessage } from '../../../../shared/webhooks/deliveries/delivery-message.ts';
import { sendTestEvent } from '../../../../shared/webhooks/deliveries/record-events.ts';
import { replayAllFailed, replayDelivery } from '../../../../shared/webhooks/deliveries/replay.ts';
import { runMessage } from '../../../../shared/webhooks/queue/run.ts';
import { aQueue } from '../../queue/a-queue.ts';
import { anEngine } from '../an-engine.ts';
import { receiversOfATest } from '../receivers.ts';
import { forgetEvent, recordOf, stored } from '../stored.ts';

const receiver = receiversOfATest();
afterEach(() => {
  vi.restoreAllMocks();
});
const many = (count: number) => Array.from({ length: count }, () => ({}));

const world = async (maxAttempts = 1) => {
  let status = 500;
  const inbox = await receiver((_, response) => response.writeHead(status).end());
  const queue = await aQueue();
  const made = anEngine({ service: 'sandbox', queue: queue.name, policy: { maxAttempts } });
  const { id } = await made.register({ url: inbox.url });
  const recover = () => {
    status = 200;
  };
  return { ...made, id, inbox, queue, recover };
};

describe('a replay', () => {
  test('delivers again what was given up, under the same webhook-id', async () => {
    const { engine, id, inbox, happen, run, read, recover } = await world();
    const [eventId = ''] = await happen();
    await run(id);
    recover();
    expect(await replayDelivery(engine, id, eventId)).toMatchObject({ id: eventId, state: 'Pending' });
    await run(id);
    const { delivery, attempts } = await read(id, eventId);
    expect(delivery).toMatchObject({ state: 'Confirmed', attempts: 2 });
    expect(attempts.map(({ number, status }) => [number, status])).toEqual([
      [1, 500],
      [2, 200],
    ]);
    expect(inbox.ids()).toEqual([eventId, eventId]);
    expect(new Set(inbox.bodies()).size).toBe(1);
  });

  test('delivers again what was confirmed, and keeps every attempt on record', async () => {
    const { engine, id, inbox, happen, run, recover, pass, read } = await world(2);
    const [eventId = ''] = await happen();
    await run(id);
    recover();
    pass(15_000);
    await run(id);
    for (let n = 0; n < 2; n++) {
      pass(1_000);
      await replayDelivery(engine, id, eventId);
      await run(id);
    }
    expect(inbox.ids()).toEqual(Array(4).fill(eventId));
    const { delivery, attempts } = await read(id, eventId);
    expect(delivery).toMatchObject({ state: 'Confirmed', attempts: 4 });
    expect(attempts.map(({ number, status }) => [number, status])).toEqual([
      [1, 500],
      [2, 200],
      [3, 200],
      [4, 200],
    ]);
    const [first, ...later] = attempts.map(({ atMs }) => atMs);
    expect(later.map((atMs) => atMs - (first ?? 0))).toEqual([15_000, 16_000, 17_000]);
  });

  test('has as many attempts as a new delivery, by the table from its beginning', async () => {
    const { engine, id, happen, run, retry, read } = await world(3);
    const [eventId = ''] = await happen();
    await run(id);
    await retry(id);
    await retry(id);
    await replayDelivery(engine, id, eventId);
    await run(id);
    await retry(id);
    expect((await read(id, eventId)).delivery).toMatchObject({ state: 'Pending', attempts: 5 });
    await retry(id);
    const { delivery, attempts } = await read(id, eventId);
    expect(delivery).toMatchObject({ state: 'Exhausted', attempts: 6 });
    const gaps = attempts.slice(1).map(({ atMs }, i) => (atMs - (attempts[i]?.atMs ?? 0)) / 1000);
    expect(gaps).toEqual([15, 16, 0, 15, 16]);
  });

  test('is recorded and sent as the message of its attempt', async () => {
    const { engine, owner, id, queue, happen, run } = await world();
    const [eventId = ''] = await happen();
    await run(id);
    await queue.messages();
    await replayDelivery(engine, id, eventId);
    expect((await queue.messages()).map(({ body }) => JSON.parse(body))).toEqual([
      { owner, webhookId: id, eventId, attempt: 2 },
    ]);
    expect(await recordOf(engine, id, eventId)).toBeDefined();
  });

  test('keeps the event as long as a new one', async () => {
    const { engine, id, happen, run, pass, now } = await world();
    const [eventId = ''] = await happen();
    await run(id);
    pass(20 * 86_400_000);
    await replayDelivery(engine, id, eventId);
    const event = await stored(engine, `EVENT#${eventId}`, 'EVENT');
    expect(event?.ttl).toBe(Math.ceil(now() / 1000) + 60 * 86_400);
  });

  test('is refused for a delivery that waits, one that is not there, and one whose event is gone', async () => {
    const { engine, id, happen, run } = await world();
    const [eventId = ''] = await happen();
    expect(await replayDelivery(engine, id, eventId)).toMatchObject({ refused: 'not-finished' });
    expect(await replayDelivery(engine, 'another', eventId)).toMatchObject({ refused: 'not-found' });
    await run(id);
    await forgetEvent(engine, eventId);
    expect(await replayDelivery(engine, id, eventId)).toMatchObject({ refused: 'event-gone' });
  });

  test('requested twice at once happens once', async () => {
    const { engine, id, inbox, happen, run } = await world();
    const [eventId = ''] = await happen();
    await run(id);
    const outcomes = await Promise.all([1, 2, 3].map(() => replayDelivery(engine, id, eventId)));
    expect(outcomes.filter((outcome) => !('refused' in outcome))).toHaveLength(1);
    await run(id);
    expect(inbox.received).toHaveLength(2);
  });
});

describe('a replay of all that was given up', () => {
  test('takes each of them, and nothing else', async () => {
    const { engine, owner, id, inbox, happen, run, recover, all } = await world();
    for (let n = 0; n < 3; n++) await happen(...many(20));
    await run(id);
    await happen({ delaySeconds: 3_600 });
    recover();
    expect(await replayAllFailed(engine, owner, id)).toEqual({ replayed: 60, more: false });
    await run(id);
    expect(inbox.received).toHaveLength(120);
    expect((await all(id)).filter(({ state }) => state === 'Confirmed')).toHaveLength(60);
    expect(await replayAllFailed(engine, owner, id)).toEqual({ replayed: 0, more: false });
  });

  test('passes over those whose event is gone', async () => {
    const { engine, owner, id, happen, run } = await world();
    const ids = await happen(...many(3));
    await run(id);
    await forgetEvent(engine, ids[1] ?? '');
    expect(await replayAllFailed(engine, owner, id)).toEqual({ replayed: 2, more: false });
  });

  test('goes on from the queue, leaving alone what was given up after the request', async () => {
    const { engine, owner, id, queue, happen, run, pass, now, all } = await world();
    const eventIds = await happen(...many(2));
    await run(id);
    const beforeMs = now();
    pass(1);
    await happen();
    await run(id);
    await queue.messages();
    const order = DeliveryMessage.parse({ owner, replay: id, beforeMs });
    await runMessage(engine, 'quick', order, { logger: logger('sandbox'), record: undefined });
    expect((await all(id)).map(({ state }) => state).toSorted()).toEqual(['Exhausted', 'Pending', 'Pending']);
    const sent = (await queue.messages()).map(({ body }) => JSON.parse(body));
    expect(sent.map(({ eventId }) => eventId).toSorted()).toEqual(eventIds.toSorted());
  });

  // index   given up ................................... (still) given up
  // table   given up --replayed--POST--confirmed ------------|--read: it is confirmed, and stays so
  test('leaves alone what was confirmed since, where the index is behind the table', async () => {
    const { engine, owner, id, inbox, happen, run, recover } = await world();
    await happen({}, {});
    await run(id);
    recover();
    const { send } = dynamo();
    const isOnIndex = (command: unknown) =>
      command instanceof QueryCommand && command.input.IndexName === 'due';
    let stale: unknown;
    const index = vi.spyOn(dynamo(), 'send').mockImplementation((command: unknown) => {
      if (!isOnIndex(command)) return Reflect.apply(send, dynamo(), [command]);
      stale ??= Reflect.apply(send, dynamo(), [command]);
      return stale;
    });
    expect(await replayAllFailed(engine, owner, id)).toEqual({ replayed: 2, more: false });
    index.mockRestore();
    await run(id);
    index.mockImplementation((command: unknown) =>
      isOnIndex(command) ? stale : Reflect.apply(send, dynamo(), [command]),
    );
    expect(await replayAllFailed(engine, owner, id)).toEqual({ replayed: 0, more: false });
    expect(inbox.received).toHaveLength(4);
  });
});

describe('a test event', () => {
  test('goes to its webhook alone and is attempted once', async () => {
    const { engine, owner, id, inbox, register, run, all } = await world(10);
    const other = await register({ url: inbox.url });
    const sent = await sendTestEvent(engine, owner, id, { type: 'WebhookTest', data: { hello: 1 } });
    await run(id);
    expect(inbox.bodies()).toEqual(['{"type":"WebhookTest","data":{"hello":1}}']);
    expect(await all(id)).toMatchObject([
      { id: 'eventId' in sent && sent.eventId, state: 'Exhausted', attempts: 1 },
    ]);
    expect(await all(other.id)).toEqual([]);
  });

  test('is refused for a webhook that is not the owner’s', async () => {
    const { engine, id } = await world();
    const sent = await sendTestEvent(engine, 'another', id, { type: 'WebhookTest', data: {} });
    expect(sent).toMatchObject({ refused: 'not-found' });
  });
});
