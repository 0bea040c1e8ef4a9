import { randomUUID } from 'node:crypto';
import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
} from '@aws-sdk/client-sqs';
import type { SQSEvent, SQSRecord } from 'aws-lambda';
import { afterEach, describe, expect, test } from 'vitest';
import { type QueueTrigger, startQueueSource } from '../../../../infra/runtime/events/queue-source.ts';
import type { Invoke } from '../../../../infra/runtime/functions/invoke.ts';
import { embeddedQueues } from './embedded-queues.ts';

const sqs = embeddedQueues();
const running: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const part of running.splice(0)) await part.stop();
});

async function queueWithDeadLetter(maxReceiveCount: number, visibilitySeconds = 1) {
  const name = `test-${randomUUID()}`;
  const dead = await sqs.send(new CreateQueueCommand({ QueueName: `${name}-dead` }));
  const arnOf = (queue: string) => `arn:aws:sqs:us-east-1:000000000000:${queue}`;
  const live = await sqs.send(
    new CreateQueueCommand({
      QueueName: name,
      Attributes: {
        VisibilityTimeout: String(visibilitySeconds),
        RedrivePolicy: JSON.stringify({ deadLetterTargetArn: arnOf(`${name}-dead`), maxReceiveCount }),
      },
    }),
  );
  return { name, arn: arnOf(name), url: live.QueueUrl ?? '', deadUrl: dead.QueueUrl ?? '' };
}
type Queue = Awaited<ReturnType<typeof queueWithDeadLetter>>;

async function send(url: string, bodies: string[]) {
  for (let from = 0; from < bodies.length; from += 10) {
    const Entries = bodies.slice(from, from + 10).map((body, index) => ({
      Id: String(index),
      MessageBody: body,
      MessageAttributes: { Kind: { DataType: 'String', StringValue: 'test' } },
    }));
    await sqs.send(new SendMessageBatchCommand({ QueueUrl: url, Entries }));
  }
}

/** Calls a handler with events and answers that have been JSON, as Lambda does. */
const invoking =
  (handler: (event: SQSEvent) => unknown): Invoke =>
  async (_, event) => {
    try {
      const answer = await handler(JSON.parse(JSON.stringify(event)));
      return { ok: true, answer: typeof answer === 'string' ? JSON.parse(answer) : (answer ?? null) };
    } catch (error) {
      return { ok: false, reason: String(error) };
    }
  };

async function connect(
  queue: Queue,
  handler: (event: SQSEvent) => unknown,
  changes: Partial<QueueTrigger> = {},
  problems: string[] = [],
) {
  const trigger: QueueTrigger = {
    functionName: 'sinete-local-worker',
    queueName: queue.name,
    batchSize: 10,
    windowSeconds: 0,
    reportsItemFailures: true,
    concurrency: 5,
    mayLoop: false,
    ...changes,
  };
  const place = { sqs, queueUrl: queue.url, queueArn: queue.arn };
  const source = startQueueSource(trigger, place, invoking(handler), (line) => problems.push(line));
  running.push(source);
  return source;
}

async function messagesIn(url: string): Promise<{ waiting: number; inWork: number }> {
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['All'] }),
  );
  return {
    waiting: Number(Attributes?.ApproximateNumberOfMessages),
    inWork: Number(Attributes?.ApproximateNumberOfMessagesNotVisible),
  };
}

const empty = { waiting: 0, inWork: 0 };

describe('a queue source', () => {
  test('a thousand messages with random failures: each is handled, the poison ones are in the dead-letter queue, none is lost', async () => {
    // What is no poison fails at most three times, so that none is moved to the dead-letter queue by chance.
    const queue = await queueWithDeadLetter(6);
    const mayFail = ({ attributes }: SQSRecord) => Number(attributes.ApproximateReceiveCount) <= 3;
    const bodies = Array.from({ length: 1000 }, (_, number) => `message ${number}`);
    const poison = new Set(bodies.filter((_, number) => number % 100 === 7));
    const handled = new Set<string>();

    await connect(queue, ({ Records }) => {
      if (Records.every(mayFail) && Math.random() < 0.05)
        throw new Error('the whole batch is lost to a crash');
      const failed = Records.filter(
        (record) => poison.has(record.body) || (mayFail(record) && Math.random() < 0.1),
      );
      for (const record of Records) if (!failed.includes(record)) handled.add(record.body);
      return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
    });
    await send(queue.url, bodies);

    await expect.poll(() => handled.size).toBe(bodies.length - poison.size);
    await expect.poll(() => messagesIn(queue.url)).toEqual(empty);
    await expect.poll(async () => (await messagesIn(queue.deadUrl)).waiting).toBe(poison.size);
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl: queue.deadUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 30 }),
    );
    expect(new Set(Messages.map(({ Body }) => Body))).toEqual(poison);
  });

  test('hands over records as Lambda does', async () => {
    const queue = await queueWithDeadLetter(3);
    const records: SQSRecord[] = [];
    await connect(queue, ({ Records }) => void records.push(...Records));
    await send(queue.url, ['{"a":1}']);

    await expect.poll(() => records).toHaveLength(1);
    expect(records[0]).toMatchObject({
      messageId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      receiptHandle: expect.any(String),
      body: '{"a":1}',
      attributes: { ApproximateReceiveCount: '1', SentTimestamp: expect.stringMatching(/^\d{13}$/) },
      messageAttributes: { Kind: { dataType: 'String', stringValue: 'test' } },
      md5OfBody: expect.stringMatching(/^[0-9a-f]{32}$/),
      eventSource: 'aws:sqs',
      eventSourceARN: queue.arn,
      awsRegion: 'us-east-1',
    });
  });

  test('a function that does not report single failures has succeeded with the whole batch, whatever it answers', async () => {
    const queue = await queueWithDeadLetter(3);
    let calls = 0;
    await connect(
      queue,
      ({ Records }) => {
        calls++;
        return { batchItemFailures: Records.map(({ messageId }) => ({ itemIdentifier: messageId })) };
      },
      { reportsItemFailures: false },
    );
    await send(queue.url, ['one']);
    await expect.poll(async () => calls === 1 && (await messagesIn(queue.url))).toEqual(empty);
  });

  test('a function that throws keeps its whole batch in the queue until it is moved to the dead-letter queue', async () => {
    const queue = await queueWithDeadLetter(2);
    const counts: string[] = [];
    const problems: string[] = [];
    const fail = ({ Records }: SQSEvent) => {
      counts.push(...Records.map(({ attributes }) => attributes.ApproximateReceiveCount));
      throw new Error('the store is away');
    };
    await connect(queue, fail, {}, problems);
    await send(queue.url, ['one']);

    await expect.poll(async () => (await messagesIn(queue.deadUrl)).waiting).toBe(1);
    expect(counts).toEqual(['1', '2']);
    expect(problems[0]).toContain(`sinete-local-worker failed a batch of 1 from ${queue.name}`);
    expect(problems[0]).toContain('the store is away');
  });

  test('a batching window gathers a batch that no single receive could bring', async () => {
    const queue = await queueWithDeadLetter(3, 30);
    await send(
      queue.url,
      Array.from({ length: 25 }, (_, number) => `${number}`),
    );
    const sizes: number[] = [];
    await connect(queue, ({ Records }) => void sizes.push(Records.length), {
      batchSize: 25,
      windowSeconds: 5,
    });
    await expect.poll(() => sizes).toEqual([25]);
    await expect.poll(() => messagesIn(queue.url)).toEqual(empty);
  });

  test('a batch is never larger than asked for, and no more are in work at once than allowed', async () => {
    const queue = await queueWithDeadLetter(3, 30);
    await send(
      queue.url,
      Array.from({ length: 30 }, (_, number) => `${number}`),
    );
    let inWork = 0;
    // The first batch ends when another one is in work beside it.
    const together = Promise.withResolvers<void>();
    const seen: { inWork: number; size: number }[] = [];
    await connect(
      queue,
      async ({ Records }) => {
        seen.push({ inWork: ++inWork, size: Records.length });
        if (inWork === 2) together.resolve();
        await together.promise;
        await new Promise((resolve) => setTimeout(resolve, 20));
        inWork--;
      },
      { batchSize: 3, concurrency: 2 },
    );
    await expect.poll(() => messagesIn(queue.url)).toEqual(empty);
    expect(Math.max(...seen.map(({ size }) => size))).toBe(3);
    expect(Math.max(...seen.map((batch) => batch.inWork))).toBe(2);
  });

  test('a batch that would be over 6 MB as JSON comes in several events, each under it', async () => {
    const queue = await queueWithDeadLetter(3, 30);
    // Each quote is one byte in the queue and two in the event.
    const bodies = Array.from({ length: 20 }, (_, number) => `${number}${'"'.repeat(250_000)}`);
    for (const body of bodies) await send(queue.url, [body]);
    const events: { bytes: number; bodies: string[] }[] = [];
    await connect(
      queue,
      (event) => {
        const bytes = Buffer.byteLength(JSON.stringify(event));
        events.push({ bytes, bodies: event.Records.map(({ body }) => body) });
      },
      { batchSize: 20, windowSeconds: 5, concurrency: 1 },
    );
    await expect.poll(() => messagesIn(queue.url)).toEqual(empty);
    expect(events.length).toBeLessThan(4);
    expect(Math.max(...events.map(({ bytes }) => bytes))).toBeLessThanOrEqual(6 * 1024 * 1024);
    expect(events.flatMap((event) => event.bodies).sort()).toEqual(bodies.toSorted());
  });

  test('a batch that the stop of the engine cuts off has not failed', async () => {
    const queue = await queueWithDeadLetter(5);
    await send(queue.url, ['cut off']);
    const problems: string[] = [];
    const [began, cut] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const source = await connect(
      queue,
      async () => {
        began.resolve();
        await cut.promise;
        throw new Error('cut off');
      },
      {},
      problems,
    );
    await began.promise;
    const stopped = source.stop();
    cut.resolve();
    await stopped;
    expect(problems).toEqual([]);
  });

  test('stopping waits for the batch in work and takes no further one', async () => {
    const queue = await queueWithDeadLetter(3, 30);
    const { promise: finish, resolve: letFinish } = Promise.withResolvers<void>();
    let calls = 0;
    const source = await connect(
      queue,
      async () => {
        calls++;
        await finish;
      },
      { concurrency: 1, batchSize: 1 },
    );
    await send(queue.url, ['one', 'two']);
    await expect.poll(() => calls).toBe(1);

    const stopped = source.stop();
    letFinish();
    await stopped;
    expect(calls).toBe(1);
    expect(await messagesIn(queue.url)).toEqual({ waiting: 1, inWork: 0 });
  });

  test('a function that cannot be called costs nothing but a delay', async () => {
    const queue = await queueWithDeadLetter(5);
    const problems: string[] = [];
    const handled: string[] = [];
    const invoke = invoking(({ Records }) => void handled.push(...Records.map(({ body }) => body)));
    let away = true;
    const source = startQueueSource(
      {
        functionName: 'sinete-local-worker',
        queueName: queue.name,
        batchSize: 10,
        windowSeconds: 0,
        reportsItemFailures: true,
        concurrency: 1,
        mayLoop: false,
      },
      { sqs, queueUrl: queue.url, queueArn: queue.arn },
      async (name, event) => (away ? { ok: false, reason: 'it is away' } : invoke(name, event)),
      (line) => {
        problems.push(line);
        away = false;
      },
    );
    running.unshift(source);
    await send(queue.url, ['one']);
    await expect.poll(() => handled).toEqual(['one']);
    expect(problems).toEqual([expect.stringContaining('it is away')]);
  });
});
