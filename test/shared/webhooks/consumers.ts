import { SQSClient } from '@aws-sdk/client-sqs';
import { startQueueSource } from '../../../infra/runtime/events/queue-source.ts';
import { answeredHere } from '../../../shared/embedded/provided.ts';
import { queueUrl } from '../../../shared/queue/client.ts';
import { consume } from '../../../shared/queue/consume.ts';
import { queueName } from '../../../shared/settings/names.ts';
import { DeliveryMessage, queueOf } from '../../../shared/webhooks/deliveries/delivery-message.ts';
import type { Pace, WebhookEngine } from '../../../shared/webhooks/engine.ts';
import { runMessage } from '../../../shared/webhooks/queue/run.ts';

// As functions.yml has them.
export const BATCHES = {
  quick: { batchSize: 10, windowSeconds: 0, concurrency: 50 },
  slow: { batchSize: 50, windowSeconds: 2, concurrency: 20 },
} as const;

/** The function of the quick or of the slow webhooks. */
export const handlerOf = (engine: WebhookEngine, pace: Pace) =>
  consume(
    {
      service: engine.service,
      queue: queueOf(engine, pace),
      message: DeliveryMessage,
      maxReceives: 20,
      concurrency: BATCHES[pace].batchSize,
    },
    (message, incoming) => runMessage(engine, pace, message, incoming),
  );

/** The consumers of both queues, as the local engine runs them, with so many functions at once where that is said. */
export async function startConsumers(
  engine: WebhookEngine,
  more: { readonly concurrency?: number } = {},
): Promise<{ stop(): Promise<void> }> {
  // Not the functions' own client, which gives up before a long poll ends.
  const poller = answeredHere('queues', new SQSClient({ useQueueUrlAsEndpoint: false }));
  const start = async (pace: Pace) => {
    const handler = handlerOf(engine, pace);
    const name = queueName(engine.service, queueOf(engine, pace));
    return startQueueSource(
      {
        ...{ functionName: name, queueName: name, reportsItemFailures: true, mayLoop: true },
        ...{ ...BATCHES[pace], ...more },
      },
      { sqs: poller, queueUrl: await queueUrl(name), queueArn: `arn:aws:sqs:us-east-1:000000000000:${name}` },
      async (_, event) => ({ ok: true, answer: await handler(event as Parameters<typeof handler>[0]) }),
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
