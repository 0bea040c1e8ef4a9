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
import { findWebhook, webhookNotFound } from './registrations.ts';

type Scope = Pick<Caller, 'registered'>;

/** A webhook as a path names it. */
type WebhookPath = { readonly orgId: string; readonly webhookId: string };

type DeliveriesRequest = { readonly state?: DeliveryState; readonly limit: number; readonly cursor?: string };

const renderAttempt = ({ atMs, tookMs, status, error }: Omit<Attempt, 'number' | 'body'>) => ({
  date: isoDate(atMs),
  status: status ?? null,
  error: error ?? null,
  durationMs: tookMs,
});

const renderDelivery = (delivery: Delivery) => ({
  id: delivery.id,
  eventId: delivery.id,
  type: delivery.type,
  state: delivery.state,
  attemptCount: delivery.attempts,
  createdDate: isoDate(delivery.createdAtMs),
  nextAttemptDate: delivery.nextAttemptAtMs === undefined ? null : isoDate(delivery.nextAttemptAtMs),
  lastAttempt: delivery.last ? renderAttempt(delivery.last) : null,
});

export async function listWebhookDeliveries(
  caller: Scope,
  { orgId, webhookId }: WebhookPath,
  request: DeliveriesRequest,
) {
  await findWebhook(caller, orgId, webhookId);
  const found = await listDeliveries(engine, webhookId, request);
  if ('refused' in found)
    throw errors.refuse(
      'InvalidRequest',
      { field: 'cursor', reason: 'is not one of this list' },
      { status: 400 },
    );
  return { items: found.items.map(renderDelivery), totalCount: null, nextCursor: found.next ?? null };
}

export async function getWebhookDelivery(
  caller: Scope,
  { orgId, webhookId }: WebhookPath,
  deliveryId: string,
) {
  await findWebhook(caller, orgId, webhookId);
  const found = await readDelivery(engine, webhookId, deliveryId);
  if (!found) throw deliveryNotFound(deliveryId);
  const attempts = found.attempts.map((attempt) => ({
    number: attempt.number,
    ...renderAttempt(attempt),
    response: attempt.body ?? null,
  }));
  return { ...renderDelivery(found.delivery), body: found.body ?? null, attempts };
}

export async function replayWebhookDelivery(
  caller: Scope,
  { orgId, webhookId }: WebhookPath,
  deliveryId: string,
) {
  await findWebhook(caller, orgId, webhookId);
  const replayed = await replayDelivery(engine, webhookId, deliveryId);
  if (!('refused' in replayed)) return renderDelivery(replayed);
  if (replayed.refused === 'not-found') throw deliveryNotFound(deliveryId);
  throw errors.refuse(replayed.refused === 'event-gone' ? 'EventNotKept' : 'DeliveryNotFinished', {
    deliveryId,
  });
}

export async function replayFailedDeliveries(caller: Scope, { orgId, webhookId }: WebhookPath) {
  await findWebhook(caller, orgId, webhookId);
  const { replayed, more } = await replayAllFailed(engine, orgId, webhookId);
  return { replayed, more };
}

/** The type of a test event. */
export const TEST_EVENT = 'WebhookTest';

/** Sends a test event, to see whether the receiver accepts it. It is attempted once. */
export async function sendWebhookTest(caller: Scope, { orgId, webhookId }: WebhookPath, nowMs: number) {
  const { organization } = await findWebhook(caller, orgId, webhookId);
  const { id, name, identifier, owner } = organization;
  const data = { webhookId, date: isoDate(nowMs), organization: { id, name, identifier, owner } };
  const sent = await sendTestEvent(engine, orgId, webhookId, { type: TEST_EVENT, data });
  if ('refused' in sent) throw webhookNotFound(webhookId);
  return { deliveryId: sent.eventId };
}

const deliveryNotFound = (deliveryId: string) =>
  errors.refuse('DeliveryNotFound', { resourceName: 'Delivery', resourceId: deliveryId });
