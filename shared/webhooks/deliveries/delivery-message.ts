import * as z from 'zod';
import { sending } from '../../queue/outbox.ts';
import { send } from '../../queue/send.ts';
import { canceling, HEAD_START_MS, type OutboxRecord, postpone } from '../../store/due/message.ts';
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

/**
 * The message of the next attempt of a pending delivery, for the commit of the change that makes it due.
 * @example await commit([deliveries.creating(delivery), sendingAttempt(engine, delivery, 'quick')]);
 */
export function sendingAttempt(engine: WebhookEngine, delivery: StoredDelivery, pace: Pace): ItemWrite {
  const { owner, webhookId, eventId, attempts, nextAttemptAtMs = 0 } = delivery;
  const nowMs = nowOf(engine);
  return sending({
    service: engine.service,
    queue: queueOf(engine, pace),
    body: { owner, webhookId, eventId, attempt: attempts + 1 } satisfies AttemptMessage,
    id: recordId(delivery),
    delaySeconds: Math.max(0, Math.ceil((nextAttemptAtMs - nowMs) / 1000)),
    headStartMs: headStartMs(engine),
    now: () => nowMs,
  });
}

// The sweeper sends no second copy while an attempt waits for its answer:
//
//   worker   |--receives--POST---------------- no answer, up to the timeout --|--records: the record is another
//   sweeper                                                                          (head start over) |--finds none
const headStartMs = (engine: WebhookEngine): number => HEAD_START_MS + engine.policy().timeoutSeconds * 1000;

/** The end of a delivery's attempts: nothing of it is left for the sweeper. */
export const cancelingAttempt = ({ service }: WebhookEngine, id: DeliveryId): ItemWrite =>
  canceling(service, recordId(id));

/**
 * Sends a message to the end of a queue, with its record: the sweeper waits as long as the message does. No other record
 * is written: another worker may have recorded the next attempt meanwhile.
 */
export async function sendOn(
  engine: WebhookEngine,
  body: AttemptMessage,
  record: OutboxRecord | undefined,
  { pace, delayMs }: { readonly pace: Pace; readonly delayMs: number },
): Promise<void> {
  const { service } = engine;
  if (record) await postpone({ service, ...record }, nowOf(engine) + delayMs + headStartMs(engine));
  const delaySeconds = Math.ceil(delayMs / 1000);
  await send(service, queueOf(engine, pace), body, { delaySeconds, dedupe: record?.id, record });
}
