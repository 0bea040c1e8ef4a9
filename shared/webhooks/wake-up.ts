import * as z from 'zod';
import type { Pace, WebhookEngine } from './engine.ts';

/** Asks for a look at what webhooks of one owner are still to be told. */
const Wake = z.strictObject({
  owner: z.string().min(1),
  webhookIds: z.array(z.string().min(1)).min(1),
  /** Whether something was recorded just now, or a time that was set has come. */
  look: z.enum(['new', 'again']),
});

/** Asks for another try of all that was given up before a moment. */
const ReplayOrder = z.strictObject({
  owner: z.string().min(1),
  replay: z.string().min(1),
  beforeMs: z.number(),
});

/** What the queues of a webhook engine carry. */
export const DeliveryMessage = z.union([Wake, ReplayOrder]);
export type Wake = z.infer<typeof Wake>;
export type ReplayOrder = z.infer<typeof ReplayOrder>;
export type DeliveryMessage = z.infer<typeof DeliveryMessage>;

/** Slow receivers have a queue of their own, so that they wait for each other and nobody waits for them. */
export const queueOf = ({ queue }: Pick<WebhookEngine, 'queue'>, pace: Pace): string =>
  pace === 'slow' ? `${queue}-slow` : queue;

/** What SQS can hold back by itself. Longer waits are the sweeper's. */
export const MAX_QUEUE_DELAY_MS = 900_000;

/** The head start of a message that is sent over the sweeper, which would only wake a second time. */
export const HEAD_START_MS = 15_000;
