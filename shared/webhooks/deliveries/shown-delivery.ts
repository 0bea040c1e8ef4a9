import type { Outcome, StoredDelivery } from './delivery.ts';
import type { DeliveryState } from './delivery-states.ts';

/** A delivery as operators see it. Its id is that of the event, which the receiver got as `webhook-id`. */
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
