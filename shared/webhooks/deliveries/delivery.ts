import { collection } from '../../store/collection.ts';
import type { WebhookEngine } from '../engine.ts';
import type { DeliveryState } from './delivery-states.ts';

/** How an attempt went. `error` tells why there is no status. */
export type Outcome = {
  readonly atMs: number;
  readonly tookMs: number;
  readonly status?: number | undefined;
  readonly error?: string | undefined;
};

export type DeliveryId = { readonly webhookId: string; readonly eventId: string };

/** One event for one webhook, whatever becomes of the event's other deliveries. */
export type StoredDelivery = DeliveryId & {
  readonly owner: string;
  readonly type: string;
  readonly state: DeliveryState;
  /** All that were ever made; it numbers them. */
  readonly attempts: number;
  /** Those since the delivery was recorded or last replayed, and how many it may have. */
  readonly tried: number;
  readonly budget: number;
  readonly createdAtMs: number;
  readonly nextAttemptAtMs?: number | undefined;
  readonly endedAtMs?: number | undefined;
  readonly last?: Outcome | undefined;
};

/**
 * An attempt with what the receiver answered: each one that failed, and each that was confirmed before a replay. The
 * one that confirmed a delivery for now is told by its delivery alone, and saves a write.
 */
export type KeptAttempt = DeliveryId &
  Outcome & {
    readonly number: number;
    /** The beginning of the answer's body. */
    readonly body?: string | undefined;
  };

// The index holds what is still to come by the time it comes, and what was given up by the time that happened.
export const pendingOf = (webhookId: string): string => `LANE#${webhookId}`;
export const exhaustedOf = (webhookId: string): string => `EXHAUSTED#${webhookId}`;

export const deliveryPk = (webhookId: string): string => `WEBHOOK#${webhookId}`;
export const DELIVERY_PREFIX = 'DELIVERY#';
export const deliveryKey = ({ webhookId, eventId }: DeliveryId) => ({
  pk: deliveryPk(webhookId),
  sk: `${DELIVERY_PREFIX}${eventId}`,
});

const seconds = (ms: number): number => Math.ceil(ms / 1000);

export const deliveriesOf = (engine: WebhookEngine) =>
  collection<StoredDelivery, DeliveryId>({
    service: engine.service,
    name: 'delivery',
    id: ({ webhookId, eventId }) => ({ webhookId, eventId }),
    key: deliveryKey,
    indexed: ({ webhookId, state, nextAttemptAtMs, endedAtMs }) => ({
      ...(state === 'Pending' && { duePk: pendingOf(webhookId), dueAt: nextAttemptAtMs ?? 0 }),
      ...(state === 'Exhausted' && { duePk: exhaustedOf(webhookId), dueAt: endedAtMs ?? 0 }),
      // What has not ended is never garbage.
      ...(endedAtMs !== undefined && { ttl: seconds(endedAtMs) + engine.policy().keptForSeconds }),
    }),
  });

export type AttemptId = DeliveryId & { readonly number: number };

export const attemptPk = ({ webhookId, eventId }: DeliveryId): string => `DELIVERY#${webhookId}#${eventId}`;

export const attemptsOf = (engine: WebhookEngine) =>
  collection<KeptAttempt, AttemptId>({
    service: engine.service,
    name: 'attempt',
    id: ({ webhookId, eventId, number }) => ({ webhookId, eventId, number }),
    // Ten digits, so that the tenth comes after the ninth.
    key: (id) => ({ pk: attemptPk(id), sk: `ATTEMPT#${String(id.number).padStart(10, '0')}` }),
    indexed: ({ atMs }) => ({ ttl: seconds(atMs) + 2 * engine.policy().keptForSeconds }),
  });
