import type { Stored } from '../../store/collection.ts';
import type { Write } from '../../store/write.ts';
import { attemptsOf, deliveriesOf, type StoredDelivery } from '../deliveries/delivery.ts';
import { deliveryStates } from '../deliveries/delivery-states.ts';
import { nowOf, type WebhookEngine } from '../engine.ts';
import type { Attempted } from './attempt.ts';
import { nextAttemptAtMs } from './retry-delay.ts';

/** What an attempt makes of its delivery. */
export type AttemptResult = {
  readonly eventId: string;
  readonly event: 'confirmed' | 'failed' | 'exhausted';
  readonly writes: readonly Write[];
};

// Two runners may attempt one delivery, when the first stalls past its lease:
//
//   runner 1  |--takes the lane--POST------ stalls ----------------- records: refused, or first
//   runner 2             lease ends  |--takes the lane--POST--records: first, or refused
//
// A result is written on the version of the delivery that was read before the POST, so one of the two counts and
// the receiver sees the same webhook-id twice.
export function attemptResult(
  engine: WebhookEngine,
  delivery: Stored<StoredDelivery>,
  attempted: Attempted,
): AttemptResult {
  const { isConfirmed, body, retryAfter, ...last } = attempted;
  const attempts = delivery.attempts + 1;
  const tried = delivery.tried + 1;
  const event = isConfirmed ? 'confirmed' : tried >= delivery.budget ? 'exhausted' : 'failed';
  const nowMs = nowOf(engine);
  const state = deliveryStates.next(delivery.state, event) ?? delivery.state;
  const { random = Math.random } = engine;
  const then =
    event === 'failed'
      ? { nextAttemptAtMs: nextAttemptAtMs(tried, retryAfter, nowMs, engine.policy(), random) }
      : { nextAttemptAtMs: undefined, endedAtMs: nowMs };
  const changed = deliveriesOf(engine).changing(delivery, { state, attempts, tried, last, ...then });
  if (isConfirmed) return { eventId: delivery.eventId, event, writes: [changed] };

  const { webhookId, eventId } = delivery;
  // Put and not created: after a stalled runner an attempt by this number may be there already.
  const attempt = attemptsOf(engine).putting({ webhookId, eventId, number: attempts, ...last, body });
  return { eventId, event, writes: [changed, attempt] };
}

/** A delivery whose event is not kept any more: there is nothing to send. */
export function eventGone(engine: WebhookEngine, delivery: Stored<StoredDelivery>): AttemptResult {
  const nowMs = nowOf(engine);
  const state = deliveryStates.next(delivery.state, 'exhausted') ?? delivery.state;
  const last = { atMs: nowMs, tookMs: 0, error: 'The event is not kept any more.' };
  const patch = { state, last, nextAttemptAtMs: undefined, endedAtMs: nowMs };
  const changed = deliveriesOf(engine).changing(delivery, patch);
  return { eventId: delivery.eventId, event: 'exhausted', writes: [changed] };
}
