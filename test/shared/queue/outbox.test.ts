import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { consume } from '../../../shared/queue/consume.ts';
import { gatherMessages, recordAndSend, sendDueMessages, sending } from '../../../shared/queue/outbox.ts';
import { scheduleHandler } from '../../../shared/queue/schedule.ts';
import { send } from '../../../shared/queue/send.ts';
import { tableName } from '../../../shared/settings/names.ts';
import { commit } from '../../../shared/store/commit.ts';
import { RaceLost } from '../../../shared/store/refusals.ts';
import { countCalls } from '../../measure/calls.ts';
import { aQueue, SERVICE, type TestQueue } from './a-queue.ts';
import { useOwnTable } from './own-table.ts';
import { unsent } from './unsent.ts';

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

await useOwnTable(SERVICE);
beforeEach(async () => {
  queue = await aQueue();
  nowMs = START_MS;
});

test('a message recorded with a change is sent after its commit, and reaches its handler with one id', async () => {
  const message = sending({ service: SERVICE, queue: queue.name, body: { n: 1 }, now });
  await commit([message]);
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

test('the messages of one commit for one queue go in one call', async () => {
  await send(SERVICE, queue.name, 'the address of the queue is known from here on');
  const messages = [1, 2, 3].map((n) => sending({ service: SERVICE, queue: queue.name, body: n, now }));
  const { byCommand } = await countCalls(() => commit(messages));
  expect(byCommand).toEqual({ TransactWriteItems: 1, SendMessageBatch: 1 });
  expect((await doneBodies()).slice(1)).toEqual([1, 2, 3]);
});

test('the messages of several commits go in one call where they are gathered', async () => {
  await send(SERVICE, queue.name, 'the address of the queue is known from here on');
  const messages = gatherMessages();
  const { byCommand } = await countCalls(async () => {
    for (const n of [1, 2, 3])
      await commit(messages.gathering([sending({ service: SERVICE, queue: queue.name, body: n, now })]));
    expect(await queue.messages()).toHaveLength(1); // the first one, which is taken by this
    await messages.sendGathered();
    await messages.sendGathered();
  });
  expect(byCommand).toMatchObject({ PutItem: 3, SendMessageBatch: 1 });
  expect(await doneBodies()).toEqual([1, 2, 3]);
});

test('a gathered message for later is left to the sweeper', async () => {
  const messages = gatherMessages();
  const later = sending({ service: SERVICE, queue: queue.name, body: 1, dueAtMs: START_MS + HOUR_MS });
  await commit(messages.gathering([later]));
  await messages.sendGathered();
  expect(await queue.messages()).toEqual([]);
});

test('a message whose send fails, or whose writer is killed, is sent by the sweeper after a head start', async () => {
  const name = `test-${randomUUID().slice(0, 8)}`;
  await recordAndSend(SERVICE, name, 'not sent', { now });
  await commit(unsent([sending({ service: SERVICE, queue: name, body: 'killed', now })]));
  queue = await aQueue(name);
  nowMs += 14_999;
  await sweep();
  expect(await bodies()).toEqual([]);
  nowMs += 1;
  await sweep();
  expect((await bodies()).toSorted()).toEqual(['killed', 'not sent']);
});

test('a message of a commit that is refused is not sent', async () => {
  const Item = { pk: { S: randomUUID() }, sk: { S: 'NONE' } };
  const refused = {
    item: { Put: { TableName: tableName(SERVICE), Item, ConditionExpression: 'attribute_exists(pk)' } },
    refusal: () => new RaceLost('There is none.'),
  };
  const message = sending({ service: SERVICE, queue: queue.name, body: 'never', now });
  await expect(commit([message, refused])).rejects.toThrow(RaceLost);
  nowMs += HOUR_MS;
  await sweep();
  expect(await queue.messages()).toEqual([]);
});

test.each([
  ['with a time', { dueAtMs: START_MS + 60_000 }, 60_000],
  ['with a delay that the queue cannot keep', { delaySeconds: 901 }, 901_000],
  ['whose writer does the work itself', { isFallback: true }, 15_000],
])('a message %s is left to the sweeper', async (_, options, afterMs) => {
  await recordAndSend(SERVICE, queue.name, 'later', { ...options, now });
  nowMs += afterMs - 1;
  await sweep();
  expect(await bodies()).toEqual([]);
  nowMs += 1;
  await sweep();
  expect(await bodies()).toEqual(['later']);
});

test('a recorded message with a delay waits in the queue, and its record as long', async () => {
  await recordAndSend(SERVICE, queue.name, 'delayed', { delaySeconds: 900, now });
  nowMs += 900_000 + 14_999;
  await sweep();
  expect(await bodies()).toEqual([]);
  nowMs += 1;
  await sweep();
  expect(await bodies()).toEqual(['delayed']);
});

test('a due message that no queue takes is kept, and is sent once its queue exists', async () => {
  vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
  const name = `test-${randomUUID().slice(0, 8)}`;
  await recordAndSend(SERVICE, name, 'patient', { delaySeconds: 1_000, now });
  nowMs += HOUR_MS;
  await sweep();
  queue = await aQueue(name);
  nowMs += 24 * HOUR_MS;
  await sweep();
  expect(await bodies()).toEqual(['patient']);
  vi.restoreAllMocks();
});
