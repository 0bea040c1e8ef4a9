import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { SQSClient } from '@aws-sdk/client-sqs';
import { freePort } from '../../../infra/local/engine/ports.ts';
import { toRecord } from '../../../infra/local/events/lambda-batch.ts';
import { startQueueSource } from '../../../infra/local/events/queue-source.ts';
import { forEachConcurrently } from '../../../shared/async/for-each-concurrently.ts';
import { answeredHere } from '../../../shared/embedded/provided.ts';
import { queueUrl } from '../../../shared/queue/client.ts';
import { consume } from '../../../shared/queue/consume.ts';
import { envelope } from '../../../shared/queue/envelope.ts';
import { queueName } from '../../../shared/settings/names.ts';
import { commit } from '../../../shared/store/commit.ts';
import type { DueMessage } from '../../../shared/store/due/message.ts';
import type { Write } from '../../../shared/store/write.ts';
import { DeliveryMessage, queueOf } from '../../../shared/webhooks/deliveries/delivery-message.ts';
import { recording } from '../../../shared/webhooks/deliveries/record-events.ts';
import type { Pace, Pacing, Policy, WebhookEngine } from '../../../shared/webhooks/engine.ts';
import { runMessage } from '../../../shared/webhooks/queue/run.ts';
import { addWebhook } from '../../../shared/webhooks/registrations/registrations.ts';
import { unsent } from '../../shared/queue/unsent.ts';
import { startStores } from '../measure/stores.ts';

export type World = {
  readonly receiver: string;
  /** Where nobody listens. */
  readonly dead: string;
  readonly stop: () => Promise<void>;
};

/** Stores, and a receiver in a process of its own; this one is that of the functions. */
export async function startWorld(): Promise<World> {
  const receivers = fork(new URL('./receivers.ts', import.meta.url));
  const [port] = await once(receivers, 'message');
  const stores = await startStores();
  const stop = async (): Promise<void> => {
    receivers.disconnect();
    await stores.stop();
  };
  return { receiver: `http://127.0.0.1:${port}`, dead: `http://127.0.0.1:${await freePort()}/`, stop };
}

export const engineOf = (policy: Partial<Policy>, pacing: Partial<Pacing> = {}): WebhookEngine => ({
  service: 'documents',
  queue: 'webhooks',
  sealingKey: () => Buffer.alloc(32, 7).toString('base64'),
  pacing,
  policy: () => ({
    maxPerOwner: 5,
    maxAttempts: 10,
    timeoutSeconds: 30,
    concurrency: 10,
    retryFactor: 1,
    retryAfterMaxSeconds: 3_600,
    keptForSeconds: 30 * 86_400,
    allowPrivateNetworks: true,
    ...policy,
  }),
});

// As functions.yml has them.
const BATCHES = {
  quick: { batchSize: 10, windowSeconds: 0, concurrency: 50 },
  slow: { batchSize: 50, windowSeconds: 2, concurrency: 20 },
} as const;

const handlerOf = (engine: WebhookEngine, pace: Pace) =>
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

/** Brings messages to the function of quick webhooks as its host does, without the queue. */
export async function handleAll(engine: WebhookEngine, messages: readonly DueMessage[]): Promise<void> {
  const handler = handlerOf(engine, 'quick');
  const { batchSize, concurrency } = BATCHES.quick;
  const batches = Array.from({ length: Math.ceil(messages.length / batchSize) }, (_, n) =>
    messages.slice(n * batchSize, (n + 1) * batchSize),
  );
  await forEachConcurrently(concurrency, batches, async (batch) => {
    const Records = batch.map(({ body, id, token }) => {
      const { MessageBody, MessageAttributes } = envelope(body, { record: { id, token } });
      return toRecord({ MessageId: id, Body: MessageBody, MessageAttributes }, '');
    });
    const { batchItemFailures } = await handler({ Records });
    if (batchItemFailures.length > 0) throw new Error(`${batchItemFailures.length} messages failed.`);
  });
}

/** The queues' consumers. */
export async function startConsumers(engine: WebhookEngine): Promise<{ stop(): Promise<void> }> {
  // Not the functions' own client, which gives up before a long poll ends.
  const poller = answeredHere('queues', new SQSClient({ useQueueUrlAsEndpoint: false }));
  const start = async (pace: Pace) => {
    const queue = queueOf(engine, pace);
    const handler = handlerOf(engine, pace);
    const name = queueName(engine.service, queue);
    return startQueueSource(
      {
        functionName: queue,
        queueName: name,
        ...BATCHES[pace],
        reportsItemFailures: true,
        mayLoop: true,
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

/** An event as large as DocumentSigned is. */
export const sampleEvent = () => ({
  type: 'DocumentSigned',
  data: {
    id: randomUUID(),
    name: 'contract of sale.pdf',
    creationDate: new Date().toISOString(),
    updateDate: new Date().toISOString(),
    folder: { id: randomUUID(), name: 'contracts', parentId: null, organizationName: 'Sandbox' },
    organization: {
      id: randomUUID(),
      name: 'Sandbox',
      identifier: '11222333000181',
      owner: { id: randomUUID(), name: 'Owner' },
    },
    createdBy: { id: randomUUID(), name: 'sandbox' },
    signature: {
      flowActionId: randomUUID(),
      date: new Date().toISOString(),
      userId: randomUUID(),
      name: 'Holder',
      identifier: '52998224725',
      emailAddress: 'holder@example.com',
    },
  },
});

/** The messages that are recorded by some writes. */
export const messagesOf = (writes: readonly Write[]): DueMessage[] =>
  writes.flatMap((write) => ('message' in write ? [write.message as DueMessage] : []));

// With five webhooks, 55 writes: well within one commit.
const EVENTS_A_COMMIT = 5;
const COMMITS_AT_ONCE = 4;

/** Records so many events of an owner. The result has the messages of their deliveries, which are sent on request. */
export async function record(
  engine: WebhookEngine,
  owner: string,
  events: number,
  isSent = false,
): Promise<DueMessage[]> {
  const messages: DueMessage[] = [];
  const commits = Array.from({ length: events / EVENTS_A_COMMIT });
  await forEachConcurrently(COMMITS_AT_ONCE, commits, async () => {
    const notices = Array.from({ length: EVENTS_A_COMMIT }, sampleEvent);
    const { writes } = await recording(engine, owner, notices);
    await commit(isSent ? writes : unsent(writes));
    messages.push(...messagesOf(writes));
  });
  return messages;
}

export async function register(engine: WebhookEngine, owner: string, url: string): Promise<string> {
  const added = await addWebhook(engine, owner, { url, authType: 'Bearer', token: 'bench' });
  if ('refused' in added) throw new Error(added.message);
  return added.id;
}
