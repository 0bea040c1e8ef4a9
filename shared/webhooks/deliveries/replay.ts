import { recordAndSend, sending } from '../../queue/outbox.ts';
import type { Stored } from '../../store/collection.ts';
import { commit } from '../../store/commit.ts';
import { forget } from '../../store/due/message.ts';
import { commitEach } from '../../store/group/commit.ts';
import type { Attributes } from '../../store/item.ts';
import { RaceLost } from '../../store/refusals.ts';
import { nowOf, type WebhookEngine } from '../engine.ts';
import { eventsOf, keptUntilMs, type WebhookEvent } from '../event.ts';
import type { Refused } from '../webhook.ts';
import {
  attemptsOf,
  type Delivery,
  type DeliveryId,
  deliveriesOf,
  deliveryStates,
  renderDelivery,
  type StoredDelivery,
} from './delivery.ts';
import { exhaustedPage } from './delivery-index.ts';
import { queueOf, type ReplayOrder, sendingAttempt } from './delivery-message.ts';

/**
 * Delivers again what was confirmed or given up, with as many attempts as a new delivery and the same webhook-id.
 * @example const replayed = await replayDelivery(webhooks, webhookId, deliveryId);
 */
export async function replayDelivery(
  engine: WebhookEngine,
  webhookId: string,
  id: string,
): Promise<Delivery | Refused<'not-found' | 'not-finished' | 'event-gone'>> {
  const [delivery, event] = await Promise.all([
    deliveriesOf(engine).get({ webhookId, eventId: id }),
    eventsOf(engine).get(id),
  ]);
  if (!delivery) return { refused: 'not-found', message: 'There is no delivery by this id.' };
  if (!event) return { refused: 'event-gone', message: 'The event of the delivery is not kept any more.' };
  const replay = replaying(engine, delivery, event);
  if (!replay) return notFinished(delivery.state);
  try {
    await commit(replay.writes);
  } catch (error) {
    if (error instanceof RaceLost) return notFinished('Pending');
    throw error;
  }
  return renderDelivery(replay.after);
}

const notFinished = (state: string): Refused<'not-finished'> => ({
  refused: 'not-finished',
  message: `The delivery is ${state}. Only a delivery that was confirmed or given up can be sent again.`,
});

/** The replay of a delivery as writes, or undefined while it is pending. */
function replaying(engine: WebhookEngine, delivery: Stored<StoredDelivery>, event: Stored<WebhookEvent>) {
  const state = deliveryStates.next(delivery.state, 'replayed');
  if (!state) return undefined;
  const changed = deliveriesOf(engine).changing(delivery, {
    state,
    tried: 0,
    budget: engine.policy().maxAttempts,
    nextAttemptAtMs: nowOf(engine),
    endedAtMs: undefined,
  });
  // A replay for another webhook may extend the same event at the same time: either write will do.
  const extended = eventsOf(engine).changing(
    event,
    { keptUntilMs: keptUntilMs(engine) },
    { when: { id: event.id }, anyVersion: true },
  );
  const next = sendingAttempt(engine, changed.after, 'quick');
  const writes = [changed, extended, next, ...keepingAttempt(engine, delivery)];
  return { writes, after: changed.after };
}

/** The attempt that confirmed the delivery gets an item of its own, because another becomes the last one. */
function keepingAttempt(
  engine: WebhookEngine,
  { webhookId, eventId, state, attempts, last }: StoredDelivery,
) {
  if (state !== 'Confirmed' || !last) return [];
  return [attemptsOf(engine).putting({ webhookId, eventId, number: attempts, ...last })];
}

// Three writes for each exhausted delivery, in one transaction.
const REPLAYS_PER_COMMIT = 33;
// The longest wait of a caller. The rest continues in the queue.
const CALLER_WAIT_MS = 5_000;
// The time for one message, well within its function's time.
const MESSAGE_TIME_MS = 20_000;

/**
 * Delivers again everything that was given up so far. `more` says that the replay continues in the queue.
 * @example const { replayed, more } = await replayAllFailed(webhooks, organization.id, webhookId);
 */
export async function replayAllFailed(
  engine: WebhookEngine,
  owner: string,
  webhookId: string,
): Promise<{ readonly replayed: number; readonly more: boolean }> {
  const body: ReplayOrder = { owner, replay: webhookId, beforeMs: nowOf(engine) };
  // Recorded first and deleted last: the whole replay happens even if this function ends here.
  const { service } = engine;
  const queue = queueOf(engine, 'quick');
  const order = sending({ service, queue, body, isFallback: true });
  await commit([order]);
  const result = await replayFor(engine, body, CALLER_WAIT_MS);
  if (result.more) await recordAndSend(service, queue, body, { id: order.message.id });
  else await forget(order.message);
  return result;
}

/** Continues a replay, and sends its order again while there is more. */
export async function continueReplay(engine: WebhookEngine, order: ReplayOrder): Promise<void> {
  const { more } = await replayFor(engine, order, MESSAGE_TIME_MS);
  if (more) await recordAndSend(engine.service, queueOf(engine, 'quick'), order);
}

async function replayFor(
  engine: WebhookEngine,
  { replay: webhookId, beforeMs }: ReplayOrder,
  timeMs: number,
): Promise<{ readonly replayed: number; readonly more: boolean }> {
  const endsAtMs = nowOf(engine) + timeMs;
  let replayed = 0;
  let after: Attributes | undefined;
  do {
    const page = await exhaustedPage(engine, webhookId, beforeMs, { limit: REPLAYS_PER_COMMIT, after });
    replayed += await replayPage(engine, page.deliveries);
    after = page.after;
  } while (after && nowOf(engine) < endsAtMs);
  return { replayed, more: after !== undefined };
}

async function replayPage(engine: WebhookEngine, page: readonly DeliveryId[]): Promise<number> {
  const [deliveries, events] = await Promise.all([
    deliveriesOf(engine).getMany(page),
    eventsOf(engine).getMany(page.map(({ eventId }) => eventId)),
  ]);
  const byId = new Map(events.map((event) => [event.id, event]));
  const replays = deliveries.flatMap((delivery) => {
    const event = byId.get(delivery.eventId);
    // The index may name a delivery that was replayed and confirmed since.
    const replay = event && delivery.state === 'Exhausted' && replaying(engine, delivery, event);
    return replay ? [replay] : [];
  });
  return (await commitEach(replays)).size;
}
