import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import { consume } from '../../../../shared/queue/consume.ts';
import { commit } from '../../../../shared/store/commit.ts';
import type { DueMessage } from '../../../../shared/store/due/message.ts';
import { recording } from '../../../../shared/webhooks/deliveries/record-events.ts';
import { runMessage } from '../../../../shared/webhooks/queue/run.ts';
import { dropCachedWebhooks } from '../../../../shared/webhooks/registrations/lookup.ts';
import { DeliveryMessage } from '../../../../shared/webhooks/wake-up.ts';
import { type Calls, countCalls } from '../../../calls.ts';
import { aQueue } from '../../queue/a-queue.ts';
import { anEngine } from '../an-engine.ts';
import { receiversOfATest } from '../receivers.ts';
import { stored, timerOf } from '../stored.ts';

const receiver = receiversOfATest();
const MAX_CALLS = 5;

async function aWorld() {
  const inbox = await receiver();
  const queue = await aQueue();
  const world = anEngine({ service: 'sandbox', queue: queue.name });
  const { engine, owner } = world;
  const { id } = await world.register({ url: inbox.url });
  const handler = consume(
    { service: 'sandbox', queue: queue.name, message: DeliveryMessage, maxReceives: 3 },
    (message, { logger }) => runMessage(engine, 'quick', message, logger),
  );
  /** Records an event and wakes its webhook; the result has the id of the wake-up's outbox record. */
  const record = async (): Promise<string> => {
    const { writes, wake } = await recording(engine, owner, [{ type: 'DocumentSigned', data: {} }]);
    await commit(writes);
    await wake();
    const [due] = writes.flatMap((write) => ('message' in write ? [write.message as DueMessage] : []));
    return due?.id ?? '';
  };
  /** The calls of the function for the messages of the queue, without those of its host. */
  const deliver = async (): Promise<Calls> => {
    let calls: Calls | undefined;
    await queue.deliver(async (event: SQSEvent) => {
      let response: SQSBatchResponse = { batchItemFailures: [] };
      calls = await countCalls(async () => {
        response = await handler(event);
      });
      return response;
    });
    if (!calls) throw new Error('No message came.');
    return calls;
  };
  return { ...world, inbox, id, record, deliver };
}

describe('one event for one healthy webhook', () => {
  test('is recorded with one transaction and one message', async () => {
    const { record } = await aWorld();
    await record();
    expect((await countCalls(record)).byCommand).toEqual({ TransactWriteItems: 1, SendMessageBatch: 1 });
  });

  test('is delivered with four calls, and nothing of it is left for the sweeper', async () => {
    const { engine, inbox, id, record, deliver, all } = await aWorld();
    const dueId = await record();
    expect((await deliver()).byCommand).toEqual({
      UpdateItem: 1,
      BatchGetItem: 1,
      TransactWriteItems: 1,
      DeleteItem: 1,
    });
    expect(inbox.received).toHaveLength(1);
    expect(await all(id)).toMatchObject([{ state: 'Confirmed' }]);
    expect(await stored(engine, `DUE#${dueId}`, 'DUE')).toBeUndefined();
    expect(await timerOf(engine, id)).toBeUndefined();
  });

  test('is delivered within the limit where the webhook is not in the cache', async () => {
    const { engine, owner, inbox, record, deliver } = await aWorld();
    await record();
    dropCachedWebhooks(engine, owner);
    expect((await deliver()).total).toBeLessThanOrEqual(MAX_CALLS);
    expect(inbox.received).toHaveLength(1);
  });

  test('is delivered within the limit while another delivery of the webhook waits for its retry', async () => {
    const { inbox, happen, run, id, record, deliver } = await aWorld();
    await happen({ delaySeconds: 3_600 });
    await run(id);
    await record();
    expect((await deliver()).total).toBeLessThanOrEqual(MAX_CALLS);
    expect(inbox.received).toHaveLength(1);
  });
});

describe('several events of one change', () => {
  test('are read together, and no look is made for more', async () => {
    const { engine, owner, inbox, deliver } = await aWorld();
    const notices = Array.from({ length: 10 }, (_, n) => ({ type: 'T', data: n }));
    const { writes, wake } = await recording(engine, owner, notices);
    await commit(writes);
    await wake();
    const { byCommand } = await deliver();
    expect(byCommand).toMatchObject({ BatchGetItem: 1, DeleteItem: 1 });
    expect(byCommand.Query).toBeUndefined();
    expect(inbox.received).toHaveLength(10);
  });

  test('that are too many to be read at once are found by the index', async () => {
    const { engine, owner, inbox, deliver, all, id } = await aWorld();
    const notices = Array.from({ length: 11 }, (_, n) => ({ type: 'T', data: n }));
    const { writes, wake } = await recording(engine, owner, notices);
    await commit(writes);
    await wake();
    expect((await deliver()).byCommand.Query).toBeGreaterThan(0);
    expect(inbox.received).toHaveLength(11);
    expect((await all(id)).every(({ state }) => state === 'Confirmed')).toBe(true);
  });
});
