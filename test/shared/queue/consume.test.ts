import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { ChangeMessageVisibilityCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import * as z from 'zod';
import { queueUrl, sqs } from '../../../shared/queue/client.ts';
import { consume, type Incoming } from '../../../shared/queue/consume.ts';
import { Poison } from '../../../shared/queue/errors.ts';
import { sending } from '../../../shared/queue/outbox.ts';
import { send, sendAll } from '../../../shared/queue/send.ts';
import { queueName, tableName } from '../../../shared/settings/names.ts';
import { dynamo } from '../../../shared/store/client.ts';
import { commit } from '../../../shared/store/commit.ts';
import { startTrace } from '../../../shared/trace/trace.ts';
import { jobs, newJob } from '../store/jobs.ts';
import { requestsOf } from '../store/requests.ts';
import { aQueue, SERVICE, type TestQueue } from './a-queue.ts';

const Order = z.object({ n: z.number(), why: z.string().optional() });
type Order = z.infer<typeof Order>;
type Work = (order: Order, incoming: Incoming) => Promise<void>;

let queue: TestQueue;
let logged = '';

beforeEach(async () => {
  queue = await aQueue();
  logged = '';
  const keep = (text: string | Uint8Array): boolean => {
    logged += String(text);
    return true;
  };
  vi.spyOn(process.stderr, 'write').mockImplementation(keep);
  vi.spyOn(process.stdout, 'write').mockImplementation(keep);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const consumer = (work: Work, maxReceives = 3) =>
  consume(
    { service: SERVICE, queue: queue.name, message: Order, maxReceives, now: () => Date.UTC(2026, 10, 3) },
    work,
  );
const order = (...numbers: number[]) =>
  sendAll(
    SERVICE,
    queue.name,
    numbers.map((n) => ({ body: { n } })),
  );

test('in one batch the good are done and only the failed come again, counted', async () => {
  await order(1, 2, 3, 4);
  const seen: string[] = [];
  const handler = consumer(async ({ n }, { attempt }) => {
    seen.push(`${n}@${attempt}`);
    if (n % 2 === 0 && attempt === 1) throw new Error('not yet');
  });
  expect(await queue.deliver(handler)).toEqual({ delivered: 4, failed: 2 });
  expect(await queue.deliver(handler)).toEqual({ delivered: 2, failed: 0 });
  expect(await queue.deliver(handler)).toEqual({ delivered: 0, failed: 0 });
  expect(seen.sort()).toEqual(['1@1', '2@1', '2@2', '3@1', '4@1', '4@2']);
  expect(await queue.deadLetters()).toEqual([]);
});

test('a poison message goes to the dead-letter queue at once, with its reason', async () => {
  const trace = startTrace({ correlationId: 'of-the-sender' });
  await send(SERVICE, queue.name, { n: 1 }, { dedupe: 'order-1', trace });
  const handler = consumer(async () => {
    throw new Poison('No such organization.');
  });
  expect(await queue.deliver(handler)).toEqual({ delivered: 1, failed: 0 });
  expect(await queue.deadLetters()).toEqual([
    {
      body: '{"n":1}',
      attributes: {
        reason: 'No such organization.',
        attempts: '1',
        failedAt: '2026-11-03T00:00:00.000Z',
        originalId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        dedupe: 'order-1',
        'x-correlation-id': 'of-the-sender',
        traceparent: expect.any(String),
      },
    },
  ]);
});

test.each([
  ['not JSON at all', 'The message is not JSON.'],
  ['{"n":"one"}', 'The message does not have the shape of its queue. n: '],
  ['null', 'The message does not have the shape of its queue. body: '],
])('the message %s is poison', async (MessageBody, reason) => {
  const QueueUrl = await queueUrl(queueName(SERVICE, queue.name));
  await sqs().send(new SendMessageCommand({ QueueUrl, MessageBody }));
  const work = vi.fn<Work>();
  expect(await queue.deliver(consumer(work))).toEqual({ delivered: 1, failed: 0 });
  expect(work).not.toHaveBeenCalled();
  const [letter] = await queue.deadLetters();
  expect(letter?.body).toBe(MessageBody);
  expect(letter?.attributes.reason).toContain(reason);
});

test('a message that fails its last delivery goes to the dead-letter queue with the last error', async () => {
  await order(7);
  const handler = consumer(async () => {
    throw new RangeError('still down');
  }, 2);
  expect(await queue.deliver(handler)).toEqual({ delivered: 1, failed: 1 });
  expect(await queue.deadLetters()).toEqual([]);
  expect(await queue.deliver(handler)).toEqual({ delivered: 1, failed: 0 });
  const [letter] = await queue.deadLetters();
  expect(letter?.attributes).toMatchObject({
    reason: 'Failed 2 times, the last time with RangeError: still down',
    attempts: '2',
  });
});

test('a hopeless message is kept while the dead-letter queue does not take it', async () => {
  await order(1, 2);
  const handler = consumer(async ({ n }) => {
    if (n === 1) throw new Poison('never');
  });
  const mock = mockClient(SQSClient);
  mock.send.callThrough();
  mock.on(SendMessageCommand).rejects(new Error('dead letters are down'));
  onTestFinished(() => mock.restore());
  expect(await queue.deliver(handler)).toEqual({ delivered: 2, failed: 1 });
  expect(logged).toContain('the dead-letter queue did not take it');
  mock.restore();
  expect(await queue.deliver(handler)).toEqual({ delivered: 1, failed: 0 });
  expect(await queue.deadLetters()).toHaveLength(1);
});

test('a reason holds no secret and only characters that SQS carries', async () => {
  await order(1);
  await queue.deliver(
    consumer(async () => {
      throw new Poison('refused \u0000\u000b{"pin":"4321"} \uD800');
    }),
  );
  const [letter] = await queue.deadLetters();
  expect(letter?.attributes.reason).toBe('refused \uFFFD\uFFFD{"pin":[redacted]"} \uFFFD');
  expect(logged).not.toContain('4321');
});

test('a handler knows a copy by the name that its sender gave', async () => {
  await send(SERVICE, queue.name, { n: 1 }, { dedupe: 'same' });
  await send(SERVICE, queue.name, { n: 1 }, { dedupe: 'same' });
  await send(SERVICE, queue.name, { n: 2 });
  const ids: string[] = [];
  await queue.deliver(
    consumer(async (_, { id }) => {
      ids.push(id);
    }),
  );
  expect(ids.filter((id) => id === 'same')).toHaveLength(2);
  expect(ids.find((id) => id !== 'same')).toMatch(/^[0-9a-f-]{36}$/);
});

test('messages of a batch run together, but no more than allowed', async () => {
  await order(1, 2, 3, 4, 5, 6, 7, 8);
  let running = 0;
  let most = 0;
  const handler = consume(
    { service: SERVICE, queue: queue.name, message: Order, maxReceives: 3, concurrency: 3 },
    async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
    },
  );
  await queue.deliver(handler);
  expect(most).toBe(3);
});

test('what a handler logs carries the queue, the message and the attempt', async () => {
  await order(1);
  await queue.deliver(consumer(async (_, { logger }) => logger.warn('Slow.', { tookMs: 3 })));
  expect(JSON.parse(logged)).toMatchObject({
    message: 'Slow.',
    service: SERVICE,
    queue: queue.name,
    messageId: expect.any(String),
    attempt: 1,
    tookMs: 3,
  });
});

test('a failed message is visible again after seconds, later with every delivery, and not with the others', async () => {
  await order(1, 2);
  const mock = mockClient(SQSClient);
  mock.send.callThrough();
  onTestFinished(() => mock.restore());
  const handler = consumer(async ({ n }) => {
    if (n === 2) throw new Error('not yet');
  }, 6);
  for (let delivery = 1; delivery <= 5; delivery++) await queue.deliver(handler);
  const hidden = mock
    .commandCalls(ChangeMessageVisibilityCommand)
    .map(({ args: [{ input }] }) => input.VisibilityTimeout ?? 0)
    .filter((seconds) => seconds > 0);
  expect(hidden).toHaveLength(5);
  for (const [index, most] of [5, 30, 180, 900, 900].entries()) {
    expect(hidden[index]).toBeLessThanOrEqual(most);
    expect(hidden[index]).toBeGreaterThanOrEqual(most / 2);
  }
});

test('the outbox record of a message is deleted in a call of its own, or with the work that commits it', async () => {
  for (const [answer, calls] of [
    [undefined, { DeleteItem: 1 }],
    ['forgotten', { TransactWriteItems: 1 }],
  ] as const) {
    const message = sending({ service: SERVICE, queue: queue.name, body: { n: 1 } });
    await commit([message]);
    const handler = consume(
      { service: SERVICE, queue: queue.name, message: Order, maxReceives: 3 },
      async (_, { forgetting }) => {
        if (answer === 'forgotten') await commit([...forgetting, jobs.creating(newJob())]);
        return answer;
      },
    );
    expect(await requestsOf(() => queue.deliver(handler))).toEqual(calls);
    const Key = { pk: { S: `DUE#${message.message.id}` }, sk: { S: 'DUE' } };
    const { Item } = await dynamo().send(new GetItemCommand({ TableName: tableName(SERVICE), Key }));
    expect(Item).toBeUndefined();
  }
});

test('a message without an outbox record has nothing to delete', async () => {
  await order(1);
  const seen: unknown[] = [];
  await queue.deliver(
    consumer(async (_, { forgetting }) => {
      seen.push(forgetting);
    }),
  );
  expect(seen).toEqual([[]]);
});
