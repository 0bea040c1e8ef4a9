import * as z from 'zod';
import { MAX_DELAY_SECONDS, sendAll } from '../../queue/send.ts';
import {
  canceling,
  type DueMessage,
  dueMessage,
  HEAD_START_MS,
  type OutboxRecord,
  postpone,
} from '../../store/due/message.ts';
import type { ItemWrite } from '../../store/write.ts';
import { nowOf, type Pace, type WebhookEngine } from '../engine.ts';
import type { DeliveryId, StoredDelivery } from './delivery.ts';

/** Asks for one attempt of one delivery. A copy that comes after the attempt finds that its number has passed. */
const AttemptMessage = z.strictObject({
  owner: z.string().min(1),
  webhookId: z.string().min(1),
  eventId: z.string().min(1),
  /** The number of the attempt among all of the delivery, from 1. */
  attempt: z.int().min(1),
});

/** Asks for a replay of all deliveries that were given up before a time. */
const ReplayOrder = z.strictObject({
  owner: z.string().min(1),
  replay: z.string().min(1),
  beforeMs: z.number(),
});

/** A message on the queues of a webhook engine. */
export const DeliveryMessage = z.union([AttemptMessage, ReplayOrder]);
export type AttemptMessage = z.infer<typeof AttemptMessage>;
export type ReplayOrder = z.infer<typeof ReplayOrder>;
export type DeliveryMessage = z.infer<typeof DeliveryMessage>;

/** The queue of quick or slow webhooks. */
export const queueOf = ({ queue }: Pick<WebhookEngine, 'queue'>, pace: Pace): string =>
  pace === 'slow' ? `${queue}-slow` : queue;

// A delivery has one outbox record for as long as it is pending: that of its next attempt replaces the last one.
const recordId = ({ webhookId, eventId }: DeliveryId): string => `delivery:${webhookId}:${eventId}`;

/** The next attempt of a delivery: its outbox record as a write, and what to send after the commit. */
export type ScheduledAttempt = ItemWrite & {
  readonly message: DueMessage;
  /** Undefined where the wait is longer than a queue can keep a message: the sweeper sends it. */
  readonly delaySeconds: number | undefined;
};

/**
 * Schedules the next attempt of a pending delivery, to be committed with the change that makes it due.
 * @example await commit([deliveries.creating(delivery), scheduled]);
 *          await sendAttempts(engine, [scheduled]);
 */
export function schedulingAttempt(
  engine: WebhookEngine,
  delivery: StoredDelivery,
  pace: Pace,
): ScheduledAttempt {
  const { owner, webhookId, eventId, attempts, nextAttemptAtMs = 0 } = delivery;
  const delaySeconds = Math.max(0, Math.ceil((nextAttemptAtMs - nowOf(engine)) / 1000));
  const isSent = delaySeconds <= MAX_DELAY_SECONDS;
  const body: AttemptMessage = { owner, webhookId, eventId, attempt: attempts + 1 };
  const due = dueMessage({
    service: engine.service,
    queue: queueOf(engine, pace),
    body,
    id: recordId(delivery),
    dueAtMs: nextAttemptAtMs + (isSent ? headStartMs(engine) : 0),
  });
  return { ...due, delaySeconds: isSent ? delaySeconds : undefined };
}

// The sweeper sends no second copy while an attempt waits for its answer:
//
//   worker   |--receives--POST---------------- no answer, up to the timeout --|--records: the record is another
//   sweeper                                                                          (head start over) |--finds none
const headStartMs = (engine: WebhookEngine): number => HEAD_START_MS + engine.policy().timeoutSeconds * 1000;

/** The end of a delivery's attempts: nothing of it is left for the sweeper. */
export const cancelingAttempt = ({ service }: WebhookEngine, id: DeliveryId): ItemWrite =>
  canceling(service, recordId(id));

/** Sends scheduled attempts right after their commit. It never throws: the sweeper sends again. */
export async function sendAttempts(
  { service }: WebhookEngine,
  scheduled: readonly ScheduledAttempt[],
): Promise<void> {
  const byQueue = Map.groupBy(scheduled, ({ message }) => message.queue);
  for (const [queue, attempts] of byQueue) {
    const outgoing = attempts.flatMap(({ message: { id, token, body }, delaySeconds }) =>
      delaySeconds === undefined ? [] : [{ body, delaySeconds, dedupe: id, record: { id, token } }],
    );
    await sendAll(service, queue, outgoing).catch(() => undefined);
  }
}

/** Sends a message to the end of a queue, with its record: the sweeper waits as long as the message does. */
export async function sendOn(
  engine: WebhookEngine,
  body: AttemptMessage,
  record: OutboxRecord | undefined,
  { pace, delayMs }: { readonly pace: Pace; readonly delayMs: number },
): Promise<void> {
  const { service } = engine;
  if (record) await postpone({ service, ...record }, nowOf(engine) + delayMs + headStartMs(engine));
  const delaySeconds = Math.ceil(delayMs / 1000);
  await sendAll(service, queueOf(engine, pace), [{ body, delaySeconds, dedupe: record?.id, record }]);
}
