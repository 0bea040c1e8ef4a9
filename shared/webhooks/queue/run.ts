import type { Incoming } from '../../queue/consume.ts';
import { commitTogether } from '../../store/group-commit.ts';
import { readTogether } from '../../store/group-read.ts';
import { deliveriesOf, isPending } from '../deliveries/delivery.ts';
import { type AttemptMessage, type DeliveryMessage, sendOn } from '../deliveries/delivery-message.ts';
import { continueReplay } from '../deliveries/replay.ts';
import { nowOf, type Pace, pacingOf, type WebhookEngine } from '../engine.ts';
import { eventsOf } from '../event.ts';
import { type AttemptContext, attempt } from './attempt.ts';
import type { AttemptResult } from './record-attempt.ts';
import { withSlot } from './slots.ts';
import { slowMarksOf } from './slow-webhooks.ts';

// One attempt, from the arrival of its message to the end:
//
//   read     BatchGetItem         the delivery, its event and the mark of a slow webhook; the webhook is in the cache
//   attempt  POST
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
  const result = await withSlot(engine, pace, message.webhookId, (call) =>
    attemptDue({ engine, call, log: logger }, pace, message),
  );
  if (result === 'over') return undefined;
  if (result === 'slow') await sendOn(engine, message, record, { pace: 'slow', delayMs: 0 });
  else if (result === 'busy')
    await sendOn(engine, message, record, { pace, delayMs: pacingOf(engine).returnAfterMs[pace] });
  else if (result !== 'early') await commitTogether(result.writes);
  // The record of the message is gone, is that of the next attempt, or brings this message back at its time.
  return 'forgotten';
}

async function attemptDue(
  context: AttemptContext,
  pace: Pace,
  { webhookId, eventId, attempt: number }: AttemptMessage,
): Promise<AttemptResult | 'over' | 'early' | 'slow'> {
  const { engine } = context;
  const [delivery, event, slow] = await Promise.all([
    readTogether(deliveriesOf(engine), { webhookId, eventId }),
    readTogether(eventsOf(engine), eventId),
    readTogether(slowMarksOf(engine), webhookId),
  ]);
  if (!delivery || !isPending(delivery) || delivery.attempts + 1 !== number) return 'over';
  const nowMs = nowOf(engine);
  if ((delivery.nextAttemptAtMs ?? 0) > nowMs) return 'early';
  if (pace === 'quick' && slow && slow.untilMs > nowMs) return 'slow';
  return attempt(context, { delivery, event, slow });
}
