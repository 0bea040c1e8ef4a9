import type { Caller } from '../../../../shared/access/caller.ts';
import type { Delivery, DeliveryState } from '../../../../shared/webhooks/deliveries/delivery.ts';
import {
  type Attempt,
  listDeliveries,
  readDelivery,
} from '../../../../shared/webhooks/deliveries/list-deliveries.ts';
import { sendTestEvent } from '../../../../shared/webhooks/deliveries/record-events.ts';
import { replayAllFailed, replayDelivery } from '../../../../shared/webhooks/deliveries/replay.ts';
import { errors } from '../../errors.ts';
import { isoDate } from '../calendar.ts';
import { webhooks as engine } from '../document/webhook-engine.ts';
import { findWebhook, webhookNotFound } from './webhooks.ts';

/** A webhook as a path names it, and who asks. */
type AskedWebhook = {
  readonly orgId: string;
  readonly webhookId: string;
  readonly caller: Pick<Caller, 'registered'>;
};

type Page = { readonly state?: DeliveryState; readonly limit: number; readonly cursor?: string };

const shownAttempt = ({ atMs, tookMs, status, error }: Omit<Attempt, 'number' | 'body'>) => ({
  date: isoDate(atMs),
  status: status ?? null,
  error: error ?? null,
  durationMs: tookMs,
});

const shownDelivery = (delivery: Delivery) => ({
  id: delivery.id,
  eventId: delivery.id,
  type: delivery.type,
  state: delivery.state,
  attemptCount: delivery.attempts,
  createdDate: isoDate(delivery.createdAtMs),
  nextAttemptDate: delivery.nextAttemptAtMs === undefined ? null : isoDate(delivery.nextAttemptAtMs),
  lastAttempt: delivery.last ? shownAttempt(delivery.last) : null,
});

export async function deliveriesOf({ orgId, webhookId, caller }: AskedWebhook, page: Page) {
  await findWebhook(orgId, webhookId, caller);
  const found = await listDeliveries(engine, webhookId, page);
  if ('refused' in found)
    throw errors.refuse(
      'InvalidRequest',
      { field: 'cursor', reason: 'is not one of this list' },
      { status: 400 },
    );
  return { items: found.items.map(shownDelivery), totalCount: null, nextCursor: found.next ?? null };
}

export async function deliveryDetails({ orgId, webhookId, caller }: AskedWebhook, deliveryId: string) {
  await findWebhook(orgId, webhookId, caller);
  const found = await readDelivery(engine, webhookId, deliveryId);
  if (!found) throw deliveryNotFound(deliveryId);
  const attempts = found.attempts.map((attempt) => ({
    number: attempt.number,
    ...shownAttempt(attempt),
    response: attempt.body ?? null,
  }));
  return { ...shownDelivery(found.delivery), body: found.body ?? null, attempts };
}

export async function replay({ orgId, webhookId, caller }: AskedWebhook, deliveryId: string) {
  await findWebhook(orgId, webhookId, caller);
  const replayed = await replayDelivery(engine, webhookId, deliveryId);
  if (!('refused' in replayed)) return shownDelivery(replayed);
  if (replayed.refused === 'not-found') throw deliveryNotFound(deliveryId);
  throw errors.refuse(replayed.refused === 'event-gone' ? 'EventNotKept' : 'DeliveryNotFinished', {
    deliveryId,
  });
}

export async function replayFailed({ orgId, webhookId, caller }: AskedWebhook) {
  await findWebhook(orgId, webhookId, caller);
  const { replayed, more } = await replayAllFailed(engine, orgId, webhookId);
  return { replayed, more };
}

/** The type of an event that nothing caused. */
export const TEST_EVENT = 'WebhookTest';

/** An event that nothing caused, to see whether the receiver takes it. It is tried once. */
export async function sendTest({ orgId, webhookId, caller }: AskedWebhook, nowMs = Date.now()) {
  const { organization } = await findWebhook(orgId, webhookId, caller);
  const { id, name, identifier, owner } = organization;
  const data = { webhookId, date: isoDate(nowMs), organization: { id, name, identifier, owner } };
  const sent = await sendTestEvent(engine, orgId, webhookId, { type: TEST_EVENT, data });
  if ('refused' in sent) throw webhookNotFound(webhookId);
  return { deliveryId: sent.eventId };
}

const deliveryNotFound = (deliveryId: string) =>
  errors.refuse('DeliveryNotFound', { resourceName: 'Delivery', resourceId: deliveryId });
