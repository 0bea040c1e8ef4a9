import { randomUUID } from 'node:crypto';
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { SQSEvent } from 'aws-lambda';
import { afterAll, beforeAll, vi } from 'vitest';
import { startQueueSource } from '../../../infra/local/events/queue-source.ts';
import { createDeclared } from '../../../infra/local/resources/create.ts';
import { readDeclared } from '../../../infra/local/resources/read.ts';
import { answeredHere } from '../../../shared/embedded/provided.ts';
import { queueUrl, sqs } from '../../../shared/queue/client.ts';
import { consume } from '../../../shared/queue/consume.ts';
import { sendDueMessages } from '../../../shared/queue/outbox.ts';
import { scheduleHandler } from '../../../shared/queue/schedule.ts';
import { queueName, tableName } from '../../../shared/settings/names.ts';
import { DeliveryMessage, queueOf } from '../../../shared/webhooks/deliveries/delivery-message.ts';
import type { Pace, WebhookEngine } from '../../../shared/webhooks/engine.ts';
import { runMessage } from '../../../shared/webhooks/queue/run.ts';
import { newStage } from '../../stores/own-stage.ts';

/** A stage of a test file's own: its sweeps meet nobody else's messages. */
export function onOwnStage(): void {
  beforeAll(async () => {
    vi.stubEnv('STAGE', newStage());
    const { tables } = readDeclared(process.cwd(), process.env.STAGE ?? '', true);
    const ours = tables.filter(({ name }) => name === tableName('documents'));
    await createDeclared({ tables: ours, buckets: [], queues: [] });
  });
  afterAll(() => {
    vi.unstubAllEnvs();
  });
}

/** The two queues of one test. A poll that an earlier test gave up would still take a message of its queue. */
export async function ownQueues(): Promise<string> {
  const queue = `test-${randomUUID()}`;
  for (const pace of ['quick', 'slow'] as const) {
    const QueueName = queueName('documents', queueOf({ queue }, pace));
    await sqs().send(new CreateQueueCommand({ QueueName }));
  }
  return queue;
}

// As functions.yml has them.
const BATCHES = {
  quick: { batchSize: 10, windowSeconds: 0 },
  slow: { batchSize: 50, windowSeconds: 2 },
} as const;

/** The consumers of both queues, as the local engine runs them. */
export async function startConsumers(engine: WebhookEngine): Promise<{ stop(): Promise<void> }> {
  // Not the functions' own client, which gives up before a long poll ends.
  const poller = answeredHere('queues', new SQSClient({ useQueueUrlAsEndpoint: false }));
  const start = async (pace: Pace) => {
    const queue = queueOf(engine, pace);
    const name = queueName(engine.service, queue);
    const handler = consume(
      {
        service: engine.service,
        queue,
        message: DeliveryMessage,
        maxReceives: 20,
        concurrency: BATCHES[pace].batchSize,
      },
      (message, incoming) => runMessage(engine, pace, message, incoming),
    );
    return startQueueSource(
      {
        functionName: name,
        queueName: name,
        ...BATCHES[pace],
        reportsItemFailures: true,
        concurrency: 5,
        mayLoop: true,
      },
      { sqs: poller, queueUrl: await queueUrl(name), queueArn: `arn:aws:sqs:us-east-1:000000000000:${name}` },
      async (_, event) => ({ ok: true, answer: await handler(event as SQSEvent) }),
      (line) => console.error(line),
    );
  };
  const sources = await Promise.all([start('quick'), start('slow')]);
  return {
    stop: async () => {
      await Promise.all(sources.map((source) => source.stop()));
    },
  };
}

export const sweepAt = (nowMs: number) =>
  scheduleHandler('documents', 'send-due', sendDueMessages('documents'), () => nowMs)();
