import { type BadCursor, pageByCursor } from '../../store/cursor.ts';
import type { WebhookEngine } from '../engine.ts';
import { eventsOf } from '../event.ts';
import {
  attemptPk,
  attemptsOf,
  DELIVERY_PREFIX,
  deliveriesOf,
  deliveryPk,
  exhaustedOf,
  type Outcome,
  pendingOf,
} from './delivery.ts';
import { pageByIndex } from './delivery-index.ts';
import type { DeliveryState } from './delivery-states.ts';
import { type Delivery, renderDelivery } from './shown-delivery.ts';

export type { Delivery } from './shown-delivery.ts';

export type Attempt = Outcome & {
  readonly number: number;
  /** The beginning of a failed answer's body. */
  readonly body?: string | undefined;
};

type Asked = {
  readonly state?: DeliveryState | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
};
type Page = { readonly items: readonly Delivery[]; readonly next?: string | undefined };

// A page by a state that no index has is made from so many pages of all states, and may be short.
const PAGES_LOOKED_THROUGH = 10;

/**
 * A page of a webhook's deliveries, the newest first; the pending ones by their next attempt, the soonest first.
 * A page by state may hold fewer than asked for and still have a next one.
 * @example const page = await listDeliveries(webhooks, webhookId, { state: 'Exhausted', limit: 50, cursor });
 */
export async function listDeliveries(
  engine: WebhookEngine,
  webhookId: string,
  { state, limit, cursor }: Asked,
): Promise<Page | BadCursor> {
  if (state === 'Pending')
    return pageByIndex(engine, { duePk: pendingOf(webhookId), webhookId, limit, cursor, newestFirst: false });
  if (state === 'Exhausted')
    return pageByIndex(engine, {
      duePk: exhaustedOf(webhookId),
      webhookId,
      limit,
      cursor,
      newestFirst: true,
    });
  const items: Delivery[] = [];
  let next = cursor;
  for (let looked = 0; looked < PAGES_LOOKED_THROUGH && items.length < limit; looked++) {
    const page = await pageByCursor(deliveriesOf(engine), {
      pk: deliveryPk(webhookId),
      skPrefix: DELIVERY_PREFIX,
      limit: limit - items.length,
      newestFirst: true,
      ...(next !== undefined && { cursor: next }),
    });
    if ('refused' in page) return page;
    items.push(...page.items.filter((delivery) => !state || delivery.state === state).map(renderDelivery));
    next = page.next;
    if (next === undefined) break;
  }
  return { items, next };
}

// More than a delivery that was replayed every day it is kept.
const MAX_ATTEMPTS = 500;

/**
 * One delivery with the text that it carries and its attempts, the first one first.
 * @example const found = await readDelivery(webhooks, webhookId, deliveryId);
 */
export async function readDelivery(
  engine: WebhookEngine,
  webhookId: string,
  id: string,
): Promise<
  | { readonly delivery: Delivery; readonly body: string | undefined; readonly attempts: readonly Attempt[] }
  | undefined
> {
  const [delivery, event, failed] = await Promise.all([
    deliveriesOf(engine).get({ webhookId, eventId: id }),
    eventsOf(engine).get(id),
    pageByCursor(attemptsOf(engine), { pk: attemptPk({ webhookId, eventId: id }), limit: MAX_ATTEMPTS }),
  ]);
  if (!delivery) return undefined;
  const attempts: Attempt[] = ('items' in failed ? failed.items : []).map(
    ({ number, atMs, tookMs, status, error, body }) => ({ number, atMs, tookMs, status, error, body }),
  );
  // A confirmed attempt has no item of its own, and is the last one of its delivery until that is replayed.
  const { last } = delivery;
  if (last && attempts.at(-1)?.number !== delivery.attempts)
    attempts.push({ number: delivery.attempts, ...last });
  return { delivery: renderDelivery(delivery), body: event?.body, attempts };
}
