import type { Logger } from '../../log/logger.ts';
import { createGuardedFetch } from '../../net/guarded.ts';
import { commitEach } from '../../store/group-commit.ts';
import { deliveriesOf, isPending } from '../deliveries/delivery.ts';
import { pendingPage } from '../deliveries/delivery-index.ts';
import { continueReplay } from '../deliveries/replay.ts';
import type { Pace, WebhookEngine } from '../engine.ts';
import { type DeliveryMessage, sendWakeUp, type WakeUp } from '../wake-up.ts';
import { claimQueue } from './claim.ts';
import { deliverDue } from './deliver-due.ts';
import { deliverNamed } from './deliver-named.ts';
import type { DeliveryQueueId } from './delivery-queue.ts';
import { leaveQueue } from './leave.ts';
import { type Remaining, startTurn, type Turn } from './turn.ts';

/**
 * Does the work of a message on the engine's queues. Webhooks named together are served at once.
 * @example export const handler = consume({ service, queue, message: DeliveryMessage, maxReceives }, (message, { logger }) =>
 *            runMessage(webhooks, 'quick', message, logger));
 */
export async function runMessage(
  engine: WebhookEngine,
  pace: Pace,
  message: DeliveryMessage,
  log: Logger,
): Promise<void> {
  if ('replay' in message) return continueReplay(engine, message);
  const { owner, webhookIds, look, eventIds } = message;
  const runs = webhookIds.map((webhookId) =>
    runQueue(engine, { owner, webhookId }, look, pace, log, eventIds),
  );
  const failed = (await Promise.allSettled(runs)).find((run) => run.status === 'rejected');
  if (failed) throw failed.reason;
}

/**
 * One turn of one webhook: claims its queue, delivers what is due, and releases the queue for the next wake-up. Does
 * nothing when another runner holds the queue. `eventIds` are the events of the deliveries that the wake-up names.
 */
export async function runQueue(
  engine: WebhookEngine,
  id: DeliveryQueueId,
  look: WakeUp['look'],
  pace: Pace,
  log: Logger,
  eventIds: readonly string[] = [],
): Promise<'ran' | 'held' | 'slow' | 'lost'> {
  const claimed = await claimQueue(engine, id, look, pace, eventIds.length > 0);
  if (claimed === 'slow') await sendWakeUp(engine, id, look, 'slow');
  if (claimed === 'slow' || claimed === 'held') return claimed;

  // Each queue has its own connections: calls of different queues to one host do not wait for each other.
  const call = (engine.connect ?? createGuardedFetch)();
  const turn = startTurn(engine, claimed.held, pace, call, log);
  try {
    let { isNew } = claimed;
    if (claimed.isNamed) {
      const result = await deliverNamed(turn, eventIds);
      if (result === 'released' || result === 'lost') return result === 'released' ? 'ran' : 'lost';
      isNew = result === 'new';
    }
    for (; ; isNew = true) {
      const remaining = await work(turn);
      const result = await leaveQueue(turn, remaining, isNew);
      if (result !== 'woken') return result === 'released' ? 'ran' : 'lost';
    }
  } finally {
    await call.close();
    logTurn(log, id.webhookId, turn);
  }
}

async function work(turn: Turn): Promise<Remaining> {
  const { stats } = turn;
  if (!(await turn.webhook())) stats.isRemoved = true;
  const remaining = stats.isRemoved ? undefined : await deliverDue(turn);
  return remaining && !stats.isRemoved ? remaining : stopDeliveries(turn);
}

// The limit of one transaction.
const STOPS_PER_COMMIT = 100;
// About ten seconds of work; the rest is for the next turn.
const MAX_STOP_ROUNDS = 50;

/** Deletes the pending deliveries of a removed webhook, whenever they are due. Nobody can look them up any more. */
async function stopDeliveries({ engine, queue, stats }: Turn): Promise<Remaining> {
  const deliveries = deliveriesOf(engine);
  for (let round = 0; round < MAX_STOP_ROUNDS; round++) {
    const page = await pendingPage(engine, queue.webhookId, { limit: STOPS_PER_COMMIT });
    const pending = (await deliveries.getMany(page.deliveries)).filter(isPending);
    const stopped = await commitEach(
      pending.map((delivery) => ({ writes: [deliveries.deleting(delivery)] })),
    );
    stats.stopped += stopped.size;
    if (stopped.size === 0) return { more: false };
  }
  return { more: true };
}

function logTurn(log: Logger, webhookId: string, { pace, stats }: Turn): void {
  const { failuresInARow: _, ...logged } = stats;
  const { confirmed, failed, exhausted, stopped, tooLate } = stats;
  const isIdle = confirmed + failed + exhausted + stopped + tooLate === 0;
  (isIdle ? log.debug : log.info)('webhook served', { webhookId, pace, ...logged });
}
