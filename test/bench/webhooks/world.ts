import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { SQSClient } from '@aws-sdk/client-sqs';
import { freePort } from '../../../infra/local/engine/ports.ts';
import { startQueueSource } from '../../../infra/local/events/queue-source.ts';
import { answeredHere } from '../../../shared/embedded/provided.ts';
import { queueUrl } from '../../../shared/queue/client.ts';
import { consume } from '../../../shared/queue/consume.ts';
import { queueName } from '../../../shared/settings/names.ts';
import { commit } from '../../../shared/store/commit.ts';
import { recording } from '../../../shared/webhooks/deliveries/record-events.ts';
import type { Pace, Pacing, Policy, WebhookEngine } from '../../../shared/webhooks/engine.ts';
import { runMessage } from '../../../shared/webhooks/queue/run.ts';
import { addWebhook } from '../../../shared/webhooks/registrations/registrations.ts';
import { DeliveryMessage, queueOf } from '../../../shared/webhooks/wake-up.ts';
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
  quick: { batchSize: 10, windowSeconds: 0 },
  slow: { batchSize: 50, windowSeconds: 2 },
} as const;

/** The queues' consumers, five batches at once each. */
export async function startConsumers(engine: WebhookEngine): Promise<{ stop(): Promise<void> }> {
  // Not the functions' own client, which gives up before a long poll ends.
  const poller = answeredHere('queues', new SQSClient({ useQueueUrlAsEndpoint: false }));
  const start = async (pace: Pace) => {
    const queue = queueOf(engine, pace);
    const handler = consume(
      {
        service: engine.service,
        queue,
        message: DeliveryMessage,
        maxReceives: 20,
        concurrency: BATCHES[pace].batchSize,
      },
      (message, { logger }) => runMessage(engine, pace, message, logger),
    );
    const name = queueName(engine.service, queue);
    return startQueueSource(
      {
        functionName: queue,
        queueName: name,
        ...BATCHES[pace],
        reportsItemFailures: true,
        concurrency: 5,
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

// With five webhooks, 61 writes: well within one commit.
const EVENTS_A_COMMIT = 10;
const COMMITS_AT_ONCE = 4;

/** Records so many events of an owner, and wakes nobody. */
export async function record(engine: WebhookEngine, owner: string, events: number): Promise<void> {
  const commits = Array.from({ length: events / EVENTS_A_COMMIT }).values();
  const worker = async (): Promise<void> => {
    for (const _ of commits) {
      const notices = Array.from({ length: EVENTS_A_COMMIT }, sampleEvent);
      await commit((await recording(engine, owner, notices)).writes);
    }
  };
  await Promise.all(Array.from({ length: COMMITS_AT_ONCE }, worker));
}

export async function register(engine: WebhookEngine, owner: string, url: string): Promise<string> {
  const added = await addWebhook(engine, owner, { url, authType: 'Bearer', token: 'bench' });
  if ('refused' in added) throw new Error(added.message);
  return added.id;
}
