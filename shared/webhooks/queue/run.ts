import { fairSemaphore } from '../../async/fair-semaphore.ts';
import { count } from '../../metrics/count.ts';
import { createGuardedFetch } from '../../net/guarded.ts';
import type { GuardedFetch } from '../../net/request.ts';
import type { Incoming } from '../../queue/consume.ts';
import { commitTogether } from '../../store/group/commit.ts';
import { readTogether } from '../../store/group/read.ts';
import { deliveriesOf, isPending } from '../deliveries/delivery.ts';
import { type AttemptMessage, type DeliveryMessage, sendOn } from '../deliveries/delivery-message.ts';
import { continueReplay } from '../deliveries/replay.ts';
import { nowOf, type Pace, pacingOf, type WebhookEngine } from '../engine.ts';
import { eventsOf } from '../event.ts';
import { getWebhook } from '../registrations/lookup.ts';
import { attempt, type Due } from './attempt.ts';
import type { AttemptResult } from './record-attempt.ts';
import { slowMarksOf } from './slow-webhooks.ts';

// One attempt, from the arrival of its message to the end:
//
//   read     BatchGetItem         the delivery, its event, the webhook and its mark as a slow one
//   attempt  POST                 with a slot of the webhook, for which nothing waits that is not to be sent; the webhook
//                                 is read again after a wait
//   record   TransactWriteItems   the result, and the outbox record: that of the next attempt, or none
//
// Messages that a process has at the same time share their reads and their commits.

/**
 * Does the work of a message on the engine's queues.
 * @example export const handler = consume({ service, queue, message: DeliveryMessage, maxReceives }, (message, incoming) =>
 *            runMessage(webhooks, 'quick', message, incoming));
 */
export async function runMessage(
  engine: WebhookEngine,
  pace: Pace,
  message: DeliveryMessage,
  { logger, record }: Pick<Incoming, 'logger' | 'record'>,
): Promise<'forgotten' | undefined> {
  if ('replay' in message) {
    await continueReplay(engine, message);
    return undefined;
  }
  const due = await readDue(engine, pace, message);
  const result =
    typeof due === 'string'
      ? due
      : await withSlot(engine, pace, message.webhookId, (call, hasWaited) =>
          attempt({ engine, call, hasWaited, log: logger }, due),
        );
  if (result === 'over') return undefined;
  if (result === 'slow') await sendOn(engine, message, record, { pace: 'slow', delayMs: 0 });
  else if (result === 'busy')
    await sendOn(engine, message, record, { pace, delayMs: pacingOf(engine).returnAfterMs[pace] });
  else if (result !== 'early') {
    await commitTogether(result.writes);
    countDelivery(engine, result);
  }
  // The record of the message is gone, is that of the next attempt, or brings this message back at its time.
  return 'forgotten';
}

const OUTCOMES = {
  confirmed: 'delivered',
  failed: 'retried',
  exhausted: 'exhausted',
  withdrawn: 'withdrawn',
  removed: 'withdrawn',
} as const;

function countDelivery({ service }: WebhookEngine, { event }: AttemptResult): void {
  if (service === 'documents' || service === 'credentials')
    count('Deliveries', { Service: service, Channel: 'webhook', Outcome: OUTCOMES[event] });
}

/** What a message asks for, or why there is nothing to send for it now. */
async function readDue(
  engine: WebhookEngine,
  pace: Pace,
  { owner, webhookId, eventId, attempt: number }: AttemptMessage,
): Promise<Due | 'over' | 'early' | 'slow'> {
  const [delivery, event, slow, webhook] = await Promise.all([
    readTogether(deliveriesOf(engine), { webhookId, eventId }),
    readTogether(eventsOf(engine), eventId),
    readTogether(slowMarksOf(engine), webhookId),
    getWebhook(engine, owner, webhookId),
  ]);
  if (!delivery || !isPending(delivery) || delivery.attempts + 1 !== number) return 'over';
  const nowMs = nowOf(engine);
  if ((delivery.nextAttemptAtMs ?? 0) > nowMs) return 'early';
  if (pace === 'quick' && slow && slow.untilMs > nowMs) return 'slow';
  return { delivery, event, slow, webhook };
}

// Attempts under way at once in one process: each has a connection.
const SLOTS = 200;

// Slow webhooks have slots of their own, so that they take none from quick ones.
const slots = { quick: fairSemaphore(), slow: fairSemaphore() } as const;

type Connections = ReturnType<NonNullable<WebhookEngine['connect']>>;
const open = new Map<string, { readonly call: Connections; users: number }>();

/** Does work with one of the slots of a webhook, and with its connections. 'busy' when no slot becomes free in time. */
function withSlot<T>(
  engine: WebhookEngine,
  pace: Pace,
  webhookId: string,
  work: (call: GuardedFetch, hasWaited: boolean) => Promise<T>,
): Promise<T | 'busy'> {
  const key = `${engine.service} ${webhookId}`;
  // The batches of the queues bound how many wait, each with its event.
  const limits = { slots: SLOTS, slotsPerKey: engine.policy().concurrency, maxWaiting: Infinity };
  return withConnections(engine, key, async (call) => {
    const acquire = (maxWaitMs: number) => slots[pace].acquire(key, limits, { maxWaitMs });
    const free = await acquire(0);
    const slot = free ?? (await acquire(pacingOf(engine).patienceMs[pace]));
    if (!slot) return 'busy';
    try {
      return await work(call, !free);
    } finally {
      slot.release();
    }
  });
}

/**
 * Each webhook has its own connections, so that calls of different webhooks to one host do not wait for each other. They
 * are closed when nobody uses them: a function that is frozen would find them broken.
 */
async function withConnections<T>(
  { connect = createGuardedFetch }: WebhookEngine,
  key: string,
  work: (call: GuardedFetch) => Promise<T>,
): Promise<T> {
  const shared = open.get(key) ?? { call: connect(), users: 0 };
  open.set(key, shared);
  shared.users += 1;
  try {
    return await work(shared.call);
  } finally {
    shared.users -= 1;
    if (shared.users === 0) {
      open.delete(key);
      await shared.call.close();
    }
  }
}
