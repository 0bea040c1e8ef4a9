import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { freePort } from '../../../infra/local/engine/ports.ts';
import { keepEnvironment } from '../../../infra/runtime/environment.ts';
import { toRecord } from '../../../infra/runtime/events/lambda-batch.ts';
import { forEachConcurrently } from '../../../shared/async/for-each-concurrently.ts';
import { envelope } from '../../../shared/queue/envelope.ts';
import { commit } from '../../../shared/store/commit.ts';
import type { DueMessage } from '../../../shared/store/due/message.ts';
import type { Write } from '../../../shared/store/write.ts';
import { recording } from '../../../shared/webhooks/deliveries/record-events.ts';
import type { Pacing, Policy, WebhookEngine } from '../../../shared/webhooks/engine.ts';
import { addWebhook } from '../../../shared/webhooks/registrations/registrations.ts';
import { unsent } from '../../shared/queue/unsent.ts';
import { BATCHES, handlerOf } from '../../shared/webhooks/consumers.ts';
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
  keepEnvironment();
  const stop = async (): Promise<void> => {
    receivers.disconnect();
    await stores.stop();
  };
  return { receiver: `http://127.0.0.1:${port}`, dead: `http://127.0.0.1:${await freePort()}/`, stop };
}

export const engineOf = (policy: Partial<Policy>, pacing: Partial<Pacing> = {}): WebhookEngine => ({
  service: 'documents',
  queue: 'webhooks',
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
