import * as z from 'zod';
import { send } from '../queue/send.ts';
import { dueMessage, HEAD_START_MS } from '../store/due/message.ts';
import type { Write } from '../store/write.ts';
import { nowOf, type Pace, type WebhookEngine } from './engine.ts';

/** Asks for a run of some webhooks of one owner. The deliveries themselves are in the table. */
const WakeUp = z.strictObject({
  owner: z.string().min(1),
  webhookIds: z.array(z.string().min(1)).min(1),
  /** `new`: something was recorded just now. `again`: the time of a timer has come. */
  look: z.enum(['new', 'again']),
  /** The events that were recorded with the wake-up: their deliveries are read by key, without the index. */
  eventIds: z.array(z.string().min(1)).min(1).optional(),
});

/** Asks for a replay of all deliveries that were given up before a time. */
const ReplayOrder = z.strictObject({
  owner: z.string().min(1),
  replay: z.string().min(1),
  beforeMs: z.number(),
});

/** A message on the queues of a webhook engine. */
export const DeliveryMessage = z.union([WakeUp, ReplayOrder]);
export type WakeUp = z.infer<typeof WakeUp>;
export type ReplayOrder = z.infer<typeof ReplayOrder>;
export type DeliveryMessage = z.infer<typeof DeliveryMessage>;

/** The queue of quick or slow webhooks. */
export const queueOf = ({ queue }: Pick<WebhookEngine, 'queue'>, pace: Pace): string =>
  pace === 'slow' ? `${queue}-slow` : queue;

/** The longest delay of SQS. The sweeper sends messages with longer delays. */
export const MAX_QUEUE_DELAY_MS = 900_000;

/** The wake-up of some webhooks, to be committed with the change that causes it. */
export type Waking = {
  /** For the commit: the webhooks are woken even if nobody lives to call `send`. */
  readonly writes: readonly Write[];
  /** Call it right after the commit. It never throws: the sweeper sends again. */
  readonly send: () => Promise<void>;
};

type WakingOptions = {
  readonly delaySeconds?: number;
  /** The events that cause it, committed with it. */
  readonly eventIds?: readonly string[];
};

// A runner reads the named deliveries and their events at once, before it attempts any. Events may have 380 kB each.
const MAX_NAMED = 10;

/** The wake-up of some webhooks of one owner, now or after a delay. */
export function waking(
  engine: WebhookEngine,
  owner: string,
  webhooks: readonly { readonly id: string }[],
  { delaySeconds = 0, eventIds = [] }: WakingOptions = {},
): Waking {
  if (webhooks.length === 0) return { writes: [], send: async () => {} };
  const { service } = engine;
  const queue = queueOf(engine, 'quick');
  const isNamed = eventIds.length > 0 && eventIds.length <= MAX_NAMED;
  const body: WakeUp = {
    owner,
    webhookIds: webhooks.map(({ id }) => id),
    look: 'new',
    ...(isNamed && { eventIds: [...eventIds] }),
  };
  const dueAtMs = nowOf(engine) + delaySeconds * 1000 + HEAD_START_MS;
  const due = dueMessage({ service, queue, body, dueAtMs });
  const { id, token } = due.message;
  return {
    writes: [due],
    send: async () => {
      if (delaySeconds * 1000 > MAX_QUEUE_DELAY_MS) return;
      await send(service, queue, body, { delaySeconds, dedupe: id, record: { id, token } }).catch(
        () => undefined,
      );
    },
  };
}

/** Sends a wake-up of one webhook to the queue of its pace, without a record. */
export async function sendWakeUp(
  engine: WebhookEngine,
  { owner, webhookId }: { readonly owner: string; readonly webhookId: string },
  look: WakeUp['look'],
  pace: Pace,
  delayMs = 0,
): Promise<void> {
  const body: WakeUp = { owner, webhookIds: [webhookId], look };
  const delaySeconds = Math.max(0, Math.ceil(delayMs / 1000));
  await send(engine.service, queueOf(engine, pace), body, { delaySeconds });
}
