import { collection } from '../../store/collection.ts';
import { type StateOf, stateMachine } from '../../store/state-machine.ts';
import type { WebhookEngine } from '../engine.ts';

/** One event on its way to one webhook. The pending deliveries of a removed webhook are deleted. */
export const deliveryStates = stateMachine({
  Pending: { confirmed: 'Confirmed', failed: 'Pending', exhausted: 'Exhausted' },
  Confirmed: { replayed: 'Pending' },
  Exhausted: { replayed: 'Pending' },
});

export type DeliveryState = StateOf<typeof deliveryStates>;

/** Whether the delivery is to be attempted. */
export const isPending = ({ state }: { readonly state: DeliveryState }): boolean =>
  deliveryStates.accepts(state, 'failed');

/** The outcome of an attempt. `error` says why there is no status. */
export type Outcome = {
  readonly atMs: number;
  readonly tookMs: number;
  readonly status?: number | undefined;
  readonly error?: string | undefined;
};

export type DeliveryId = { readonly webhookId: string; readonly eventId: string };

/** One event for one webhook, independent of the event's other deliveries. */
export type StoredDelivery = DeliveryId & {
  readonly owner: string;
  /** As it was sent last; before the first attempt, as it was recorded. */
  readonly type: string;
  readonly state: DeliveryState;
  /** All attempts ever made. It numbers them. */
  readonly attempts: number;
  /** Attempts since the delivery was recorded or last replayed, and the limit for them. */
  readonly tried: number;
  readonly budget: number;
  readonly createdAtMs: number;
  readonly nextAttemptAtMs?: number | undefined;
  readonly endedAtMs?: number | undefined;
  readonly last?: Outcome | undefined;
};

/** A delivery for operators. Its id is that of the event, which the receiver got as `webhook-id`. */
export type Delivery = {
  readonly id: string;
  readonly webhookId: string;
  readonly owner: string;
  readonly type: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly createdAtMs: number;
  readonly nextAttemptAtMs?: number | undefined;
  readonly endedAtMs?: number | undefined;
  readonly last?: Outcome | undefined;
};

export const renderDelivery = (delivery: StoredDelivery): Delivery => ({
  id: delivery.eventId,
  webhookId: delivery.webhookId,
  owner: delivery.owner,
  type: delivery.type,
  state: delivery.state,
  attempts: delivery.attempts,
  createdAtMs: delivery.createdAtMs,
  nextAttemptAtMs: delivery.nextAttemptAtMs,
  endedAtMs: delivery.endedAtMs,
  last: delivery.last,
});

/**
 * An attempt with the receiver's answer: each that failed, and each that was confirmed before a replay. The attempt that
 * confirmed a delivery is stored in the delivery alone, which saves a write.
 */
export type StoredAttempt = DeliveryId &
  Outcome & {
    readonly number: number;
    /** The beginning of the answer's body. */
    readonly body?: string | undefined;
  };

// The index has pending deliveries by the time of their next attempt, and exhausted ones by the time of their end.
export const pendingOf = (webhookId: string): string => `PENDING#${webhookId}`;
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
      // A delivery that has not ended never expires.
      ...(endedAtMs !== undefined && { ttl: seconds(endedAtMs) + engine.policy().keptForSeconds }),
    }),
  });

export const attemptPk = ({ webhookId, eventId }: DeliveryId): string => `DELIVERY#${webhookId}#${eventId}`;

export const attemptsOf = (engine: WebhookEngine) =>
  collection<StoredAttempt, DeliveryId & { readonly number: number }>({
    service: engine.service,
    name: 'attempt',
    id: ({ webhookId, eventId, number }) => ({ webhookId, eventId, number }),
    // Ten digits, so that the tenth attempt comes after the ninth.
    key: (id) => ({ pk: attemptPk(id), sk: `ATTEMPT#${String(id.number).padStart(10, '0')}` }),
    indexed: ({ atMs }) => ({ ttl: seconds(atMs) + 2 * engine.policy().keptForSeconds }),
  });
