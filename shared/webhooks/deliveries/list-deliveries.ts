import { type BadCursor, firstItems, pageByCursor } from '../../store/cursor.ts';
import type { WebhookEngine } from '../engine.ts';
import { eventsOf } from '../event.ts';
import {
  attemptPk,
  attemptsOf,
  DELIVERY_PREFIX,
  type Delivery,
  type DeliveryState,
  deliveriesOf,
  deliveryPk,
  exhaustedOf,
  type Outcome,
  pendingOf,
  renderDelivery,
} from './delivery.ts';
import { pageByIndex } from './delivery-index.ts';

export type Attempt = Outcome & {
  readonly number: number;
  /** The beginning of a failed answer's body. */
  readonly body?: string | undefined;
};

type PageRequest = {
  readonly state?: DeliveryState | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
};
type Page = { readonly items: readonly Delivery[]; readonly next?: string | undefined };

// No index has the confirmed deliveries. A page of them is filtered from so many pages of all states, and may be short.
const MAX_PAGES_FILTERED = 10;

/**
 * A page of a webhook's deliveries, newest first; pending ones by their next attempt, soonest first. A page by state may
 * hold fewer than the limit and still have a next one.
 * @example const page = await listDeliveries(webhooks, webhookId, { state: 'Exhausted', limit: 50, cursor });
 */
export async function listDeliveries(
  engine: WebhookEngine,
  webhookId: string,
  { state, limit, cursor }: PageRequest,
): Promise<Page | BadCursor> {
  const request = { webhookId, limit, cursor };
  if (state === 'Pending')
    return pageByIndex(engine, { ...request, duePk: pendingOf(webhookId), newestFirst: false });
  if (state === 'Exhausted')
    return pageByIndex(engine, { ...request, duePk: exhaustedOf(webhookId), newestFirst: true });
  const items: Delivery[] = [];
  let next = cursor;
  for (let pages = 0; pages < MAX_PAGES_FILTERED && items.length < limit; pages++) {
    const page = await pageByCursor(deliveriesOf(engine), {
      pk: deliveryPk(webhookId),
      skPrefix: DELIVERY_PREFIX,
      limit: limit - items.length,
      newestFirst: true,
      cursor: next,
    });
    if ('refused' in page) return page;
    items.push(...page.items.filter((delivery) => !state || delivery.state === state).map(renderDelivery));
    next = page.next;
    if (next === undefined) break;
  }
  return { items, next };
}

// More attempts than a delivery has that is replayed on every day it is kept.
const MAX_ATTEMPTS = 500;

/**
 * One delivery with its event's text and its attempts, the first one first.
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
  const [delivery, event, stored] = await Promise.all([
    deliveriesOf(engine).get({ webhookId, eventId: id }),
    eventsOf(engine).get(id),
    firstItems(attemptsOf(engine), { pk: attemptPk({ webhookId, eventId: id }) }, MAX_ATTEMPTS),
  ]);
  if (!delivery) return undefined;
  const attempts: Attempt[] = stored.map(({ number, atMs, tookMs, status, error, body }) => ({
    number,
    atMs,
    tookMs,
    status,
    error,
    body,
  }));
  // A confirmed attempt has no item of its own: until a replay it is the last one of its delivery.
  const { last } = delivery;
  if (last && attempts.at(-1)?.number !== delivery.attempts)
    attempts.push({ number: delivery.attempts, ...last });
  // What a subject is rendered to is not kept.
  const body = event?.subject === undefined ? event?.body : undefined;
  return { delivery: renderDelivery(delivery), body, attempts };
}
