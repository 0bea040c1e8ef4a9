import { randomUUID } from 'node:crypto';
import { CreateTableCommand, type KeySchemaElement, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { consume } from '../../../shared/queue/consume.ts';
import { sendDueMessages, senderOf } from '../../../shared/queue/outbox.ts';
import { scheduleHandler } from '../../../shared/queue/schedule.ts';
import { send, sendAll } from '../../../shared/queue/send.ts';
import { tableName } from '../../../shared/settings/names.ts';
import { dynamo } from '../../../shared/store/client.ts';
import { commit } from '../../../shared/store/commit.ts';
import { dueMessage, sendNow } from '../../../shared/store/due/message.ts';
import { newStage } from '../../stores/own-stage.ts';
import { aQueue, SERVICE, type TestQueue } from './a-queue.ts';

const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2026, 10, 3);

let queue: TestQueue;
let nowMs: number;
const now = (): number => nowMs;
const sweep = scheduleHandler(SERVICE, 'send-due', sendDueMessages(SERVICE), now);
/** Does what is on the queue, and tells what it was. */
async function doneBodies(): Promise<unknown[]> {
  const done: unknown[] = [];
  const handler = consume(
    { service: SERVICE, queue: queue.name, message: z.unknown(), maxReceives: 1 },
    async (body) => {
      done.push(body);
    },
  );
  await queue.deliver(handler);
  return done;
}
const bodies = async () => (await queue.messages()).map(({ body }) => JSON.parse(body));

// A stage, and so a table, of this file's own: a sweep takes whatever is due in its table.
beforeAll(async () => {
  process.env.STAGE = newStage();
  const text = (AttributeName: string) => ({ AttributeName, AttributeType: 'S' }) as const;
  const key = (hash: string, range: string): KeySchemaElement[] => [
    { AttributeName: hash, KeyType: 'HASH' },
    { AttributeName: range, KeyType: 'RANGE' },
  ];
  await dynamo().send(
    new CreateTableCommand({
      TableName: tableName(SERVICE),
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [
        text('pk'),
        text('sk'),
        text('duePk'),
        { AttributeName: 'dueAt', AttributeType: 'N' },
      ],
      KeySchema: key('pk', 'sk'),
      GlobalSecondaryIndexes: [
        { IndexName: 'due', KeySchema: key('duePk', 'dueAt'), Projection: { ProjectionType: 'ALL' } },
      ],
    }),
  );
  await waitUntilTableExists(
    { client: dynamo(), maxWaitTime: 20, minDelay: 1 },
    { TableName: tableName(SERVICE) },
  );
});

beforeEach(async () => {
  queue = await aQueue();
  nowMs = START_MS;
});

test('a message delayed by a day is sent when a day is over, and once', async () => {
  await send(SERVICE, queue.name, { day: 2 }, { delaySeconds: 86_400 }, now);
  nowMs += 24 * HOUR_MS - 1_000;
  await sweep();
  expect(await queue.messages()).toEqual([]);
  nowMs += 1_000;
  await sweep();
  await sweep();
  expect(await doneBodies()).toEqual([{ day: 2 }]);
  nowMs += 24 * HOUR_MS;
  await sweep();
  expect(await queue.messages()).toEqual([]);
});

test('up to 15 minutes the queue itself waits; a second more is recorded', async () => {
  await sendAll(
    SERVICE,
    queue.name,
    [{ body: 'now' }, { body: 'by the queue', delaySeconds: 900 }, { body: 'recorded', delaySeconds: 901 }],
    now,
  );
  expect(await bodies()).toEqual(['now']);
  nowMs += 901_000;
  await sweep();
  expect(await bodies()).toEqual(['recorded']);
});

test('a waiting message is replaced by another of its name in its queue, and not by one in another queue', async () => {
  const other = await aQueue();
  const dedupe = randomUUID();
  await send(SERVICE, queue.name, 'first', { delaySeconds: 1_000, dedupe }, now);
  await send(SERVICE, queue.name, 'second', { delaySeconds: 2_000, dedupe }, now);
  await send(SERVICE, other.name, 'other', { delaySeconds: 2_000, dedupe }, now);
  nowMs += HOUR_MS;
  await sweep();
  const messages = [...(await queue.messages()), ...(await other.messages())];
  expect(messages).toEqual([
    { body: '"second"', attributes: { dedupe, outbox: expect.stringContaining(`${queue.name}#${dedupe}`) } },
    { body: '"other"', attributes: { dedupe, outbox: expect.stringContaining(`${other.name}#${dedupe}`) } },
  ]);
});

test('a message recorded with a change reaches its handler with one id, sent at once or by the sweep', async () => {
  const message = dueMessage({ service: SERVICE, queue: queue.name, body: { n: 1 }, now });
  await commit([message]);
  expect(await sendNow([message], senderOf(SERVICE))).toBe(1);
  const ids: string[] = [];
  const handler = consume(
    { service: SERVICE, queue: queue.name, message: z.object({ n: z.number() }), maxReceives: 1 },
    async (_, { id }) => {
      ids.push(id);
    },
  );
  await queue.deliver(handler);
  nowMs += HOUR_MS;
  await sweep();
  expect(await queue.messages()).toEqual([]);
  expect(ids).toEqual([message.message.id]);
});

test('a due message that no queue takes is kept, and is sent once its queue exists', async () => {
  vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
  const name = `test-${randomUUID().slice(0, 8)}`;
  await send(SERVICE, name, 'patient', { delaySeconds: 1_000 }, now);
  nowMs += HOUR_MS;
  await sweep();
  queue = await aQueue(name);
  nowMs += 24 * HOUR_MS;
  await sweep();
  expect(await bodies()).toEqual(['patient']);
  vi.restoreAllMocks();
});
