import { recordAndSend, senderOf } from '../../queue/outbox.ts';
import { send } from '../../queue/send.ts';
import type { Stored } from '../../store/collection.ts';
import { commit } from '../../store/commit.ts';
import { dueMessage, forget, sendNow } from '../../store/due/message.ts';
import { commitEach } from '../../store/group-commit.ts';
import type { Attributes } from '../../store/item.ts';
import { RaceLost } from '../../store/refusals.ts';
import { nowOf, type WebhookEngine } from '../engine.ts';
import { eventsOf, keptUntilMs, type WebhookEvent } from '../event.ts';
import { waking } from '../wake.ts';
import { queueOf, type ReplayOrder, type Wake } from '../wake-up.ts';
import type { Refused } from '../webhook.ts';
import { attemptsOf, deliveriesOf, type StoredDelivery } from './delivery.ts';
import { exhaustedPage } from './delivery-index.ts';
import { deliveryStates } from './delivery-states.ts';
import { type Delivery, renderDelivery } from './shown-delivery.ts';

/**
 * Delivers again what was confirmed or given up, with as many attempts as at first and the same webhook-id.
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
  if (!event) return { refused: 'event-gone', message: 'What the delivery carried is not kept any more.' };
  const again = replaying(engine, delivery, event);
  if (!again) return notFinished(delivery.state);
  const wake = waking(engine, delivery.owner, [{ id: webhookId }]);
  try {
    await commit([...again.writes, ...wake.writes]);
  } catch (error) {
    if (error instanceof RaceLost) return notFinished('Pending');
    throw error;
  }
  await wake.send();
  return renderDelivery(again.after);
}

const notFinished = (state: string): Refused<'not-finished'> => ({
  refused: 'not-finished',
  message: `The delivery is ${state}; only one that was confirmed or given up can be sent again.`,
});

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
  // Another webhook's replay may keep the same event longer at the same time: either will do.
  const kept = eventsOf(engine).changing(
    event,
    { keptUntilMs: keptUntilMs(engine) },
    { when: { id: event.id }, anyVersion: true },
  );
  return { writes: [changed, kept, ...keeping(engine, delivery)], after: changed.after };
}

/** The attempt that confirmed a delivery stays on record when another takes its place as the last one. */
function keeping(engine: WebhookEngine, { webhookId, eventId, state, attempts, last }: StoredDelivery) {
  if (state !== 'Confirmed' || !last) return [];
  return [attemptsOf(engine).putting({ webhookId, eventId, number: attempts, ...last })];
}

// Two writes each of those that were given up, in one transaction.
const REPLAYED_AT_ONCE = 50;
// What a caller waits for; the rest goes on in the queue.
const WAITED_FOR_MS = 5_000;
// A message's turn, well within its function's time.
const TURN_MS = 20_000;

/**
 * Delivers again all that was given up so far. It begins at once, and `more` tells that it goes on in the queue.
 * @example const { replayed, more } = await replayAllFailed(webhooks, organization.id, webhookId);
 */
export async function replayAllFailed(
  engine: WebhookEngine,
  owner: string,
  webhookId: string,
): Promise<{ readonly replayed: number; readonly more: boolean }> {
  const body: ReplayOrder = { owner, replay: webhookId, beforeMs: nowOf(engine) };
  // Recorded first and forgotten last: all of it happens even if this function ends here.
  const order = dueMessage({ service: engine.service, queue: queueOf(engine, 'quick'), body });
  await commit([order]);
  const done = await replaySome(engine, body, WAITED_FOR_MS);
  if (done.more) await sendNow([order], senderOf(engine.service));
  else await forget(order.message);
  return done;
}

/** Goes on with an order to replay, and sends it to itself again while there is more. */
export async function continueReplay(engine: WebhookEngine, order: ReplayOrder): Promise<void> {
  const { more } = await replaySome(engine, order, TURN_MS);
  if (more) await recordAndSend(engine.service, queueOf(engine, 'quick'), order);
}

// Every round ends with a wake-up, one that finds nothing to replay too: the round before it may have been killed
// between its last commit and its own.
async function replaySome(
  engine: WebhookEngine,
  { owner, replay: webhookId, beforeMs }: ReplayOrder,
  forMs: number,
): Promise<{ readonly replayed: number; readonly more: boolean }> {
  const endsAt = performance.now() + forMs;
  let replayed = 0;
  let after: Attributes | undefined;
  do {
    const page = await exhaustedPage(engine, webhookId, beforeMs, { limit: REPLAYED_AT_ONCE, after });
    replayed += await replayPage(engine, page.given);
    after = page.after;
  } while (after && performance.now() < endsAt);
  const wake: Wake = { owner, webhookIds: [webhookId], look: 'new' };
  await send(engine.service, queueOf(engine, 'quick'), wake);
  return { replayed, more: after !== undefined };
}

async function replayPage(engine: WebhookEngine, given: readonly StoredDelivery[]): Promise<number> {
  const [deliveries, events] = await Promise.all([
    deliveriesOf(engine).getMany(given),
    eventsOf(engine).getMany(given.map(({ eventId }) => eventId)),
  ]);
  const byId = new Map(events.map((event) => [event.id, event]));
  const entries = deliveries.flatMap((delivery) => {
    const event = byId.get(delivery.eventId);
    const again = event && delivery.state === 'Exhausted' && replaying(engine, delivery, event);
    return again ? [again] : [];
  });
  return (await commitEach(entries)).size;
}
