import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import { consume } from '../../../../shared/queue/consume.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { DeliveryMessage } from '../../../../shared/webhooks/deliveries/delivery-message.ts';
import { recording } from '../../../../shared/webhooks/deliveries/record-events.ts';
import { runMessage } from '../../../../shared/webhooks/queue/run.ts';
import { type Calls, countCalls } from '../../../measure/calls.ts';
import { aQueue } from '../../queue/a-queue.ts';
import { answering } from '../a-receiver.ts';
import { anEngine } from '../an-engine.ts';
import { receiversOfATest } from '../receivers.ts';
import { recordOf } from '../stored.ts';

const receiver = receiversOfATest();

async function aWorld(status = 200) {
  const inbox = await receiver(answering(status));
  const queue = await aQueue();
  await aQueue(`${queue.name}-slow`);
  const world = anEngine({ service: 'sandbox', queue: queue.name });
  const { engine, owner } = world;
  const { id } = await world.register({ url: inbox.url });
  const handler = consume(
    { service: 'sandbox', queue: queue.name, message: DeliveryMessage, maxReceives: 3, concurrency: 10 },
    (message, incoming) => runMessage(engine, 'quick', message, incoming),
  );
  /** Records events of one change and sends their messages; the result has their ids. */
  const record = async (events = 1): Promise<readonly string[]> => {
    const notices = Array.from({ length: events }, () => ({ type: 'DocumentSigned', data: {} }));
    const { eventIds, writes } = await recording(engine, owner, notices);
    await commit(writes);
    return eventIds;
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
  test('is recorded with a look at the webhooks, one transaction and one message', async () => {
    const { record } = await aWorld();
    await record();
    expect((await countCalls(record)).byCommand).toEqual({
      BatchGetItem: 1,
      TransactWriteItems: 1,
      SendMessageBatch: 1,
    });
  });

  test('is delivered with two calls, and nothing of it is left for the sweeper', async () => {
    const { engine, inbox, id, record, deliver, all } = await aWorld();
    const [eventId = ''] = await record();
    expect(await recordOf(engine, id, eventId)).toBeDefined();
    expect((await deliver()).byCommand).toEqual({ BatchGetItem: 1, TransactWriteItems: 1 });
    expect(inbox.received).toHaveLength(1);
    expect(await all(id)).toMatchObject([{ state: 'Confirmed' }]);
    expect(await recordOf(engine, id, eventId)).toBeUndefined();
  });
});

test('an attempt that fails takes one call more: the message of the next one', async () => {
  const { engine, id, record, deliver } = await aWorld(500);
  await record();
  await deliver(); // The address of the slow queue is asked for once.
  const [eventId = ''] = await record();
  expect((await deliver()).byCommand).toEqual({
    BatchGetItem: 1,
    TransactWriteItems: 1,
    SendMessageBatch: 1,
  });
  expect(await recordOf(engine, id, eventId)).toBeDefined();
});

test('ten messages of one batch are read together, and recorded in a few transactions', async () => {
  const { inbox, record, deliver } = await aWorld();
  await record(10);
  const { BatchGetItem = 0, TransactWriteItems = 0, ...others } = (await deliver()).byCommand;
  expect(others).toEqual({});
  expect([BatchGetItem, TransactWriteItems].every((calls) => calls < 10)).toBe(true);
  expect(inbox.received).toHaveLength(10);
});
