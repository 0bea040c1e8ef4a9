import { retryAfterMs } from '../../net/retry-after.ts';
import type { Stored } from '../../store/collection.ts';
import type { Write } from '../../store/write.ts';
import {
  attemptsOf,
  deliveriesOf,
  deliveryStates,
  type Outcome,
  type StoredDelivery,
} from '../deliveries/delivery.ts';
import { cancelingAttempt, sendingAttempt } from '../deliveries/delivery-message.ts';
import { nowOf, type Policy, type WebhookEngine } from '../engine.ts';

/** The outcome of one call to a receiver. */
export type AttemptResponse = Outcome & {
  readonly isConfirmed: boolean;
  /** The beginning of the answer's body, when the attempt failed. */
  readonly body?: string | undefined;
  readonly retryAfter?: string | undefined;
  /** The type that was sent. */
  readonly type?: string | undefined;
};

/** The result of an attempt for its delivery, as writes. */
export type AttemptResult = {
  readonly event: 'confirmed' | 'failed' | 'exhausted' | 'withdrawn' | 'removed';
  readonly writes: readonly Write[];
};

// Two workers may attempt one delivery, when the first stalls and the sweeper sends the message again:
//
//   worker 1  |--reads it--POST------ stalls ------------------------------ records: refused, or first
//   worker 2       (head start over)  |--reads it--POST--records: first, or refused
//
// A result expects the version of the delivery that was read before the POST, so one of the two counts, and the receiver
// sees the same webhook-id twice. The outbox record is changed by whoever changes the delivery.
export function recordingAttempt(
  engine: WebhookEngine,
  delivery: Stored<StoredDelivery>,
  response: AttemptResponse,
): AttemptResult {
  const { isConfirmed, body, retryAfter, type = delivery.type, ...last } = response;
  const attempts = delivery.attempts + 1;
  const tried = delivery.tried + 1;
  const event = isConfirmed ? 'confirmed' : tried >= delivery.budget ? 'exhausted' : 'failed';
  const nowMs = nowOf(engine);
  const state = deliveryStates.next(delivery.state, event) ?? delivery.state;
  const { random = Math.random } = engine;
  const times =
    event === 'failed'
      ? { nextAttemptAtMs: nextAttemptAtMs(tried, retryAfter, nowMs, engine.policy(), random) }
      : { nextAttemptAtMs: undefined, endedAtMs: nowMs };
  const sent = type === delivery.type ? {} : { type };
  const changed = deliveriesOf(engine).changing(delivery, {
    ...sent,
    state,
    attempts,
    tried,
    last,
    ...times,
  });
  if (isConfirmed) return { event, writes: [changed, cancelingAttempt(engine, delivery)] };

  const { webhookId, eventId } = delivery;
  // Put and not created: a worker that stalled may have stored an attempt with this number.
  const attempt = attemptsOf(engine).putting({ webhookId, eventId, number: attempts, ...last, body });
  if (event === 'exhausted') return { event, writes: [changed, attempt, cancelingAttempt(engine, delivery)] };
  // Whatever fails is retried among the slow, and takes nothing from receivers that are well.
  return { event, writes: [changed, attempt, sendingAttempt(engine, changed.after, 'slow')] };
}

/** The end of a delivery that there is nothing to send for. No attempt is made. */
export function recordingWithdrawn(
  engine: WebhookEngine,
  delivery: Stored<StoredDelivery>,
  error: string,
): AttemptResult {
  const nowMs = nowOf(engine);
  const state = deliveryStates.next(delivery.state, 'exhausted') ?? delivery.state;
  const last = { atMs: nowMs, tookMs: 0, error };
  const patch = { state, last, nextAttemptAtMs: undefined, endedAtMs: nowMs };
  const changed = deliveriesOf(engine).changing(delivery, patch);
  return { event: 'withdrawn', writes: [changed, cancelingAttempt(engine, delivery)] };
}

/** The end of a delivery whose webhook was removed: nobody can look it up any more. */
export const recordingRemoved = (engine: WebhookEngine, delivery: Stored<StoredDelivery>): AttemptResult => ({
  event: 'removed',
  writes: [deliveriesOf(engine).deleting(delivery), cancelingAttempt(engine, delivery)],
});

/**
 * The seconds to wait before retry `n`, from 1: (n-1)^4 + 15 + rand(0..29)*n. Nine retries take two and a half to
 * three hours. The random part spreads deliveries that failed together.
 */
export const retryDelaySeconds = (n: number, random: () => number): number =>
  (n - 1) ** 4 + 15 + Math.floor(random() * 30) * n;

/** The time of the attempt after the `n`th failure in a row: by the table, or later if the receiver asks for it. */
export function nextAttemptAtMs(
  n: number,
  retryAfter: string | undefined,
  nowMs: number,
  { retryFactor, retryAfterMaxSeconds }: Policy,
  random: () => number,
): number {
  const byTableMs = retryDelaySeconds(n, random) * retryFactor * 1000;
  const byReceiverMs = Math.min(retryAfterMs(retryAfter, nowMs) ?? 0, retryAfterMaxSeconds * 1000);
  return Math.ceil(nowMs + Math.max(byTableMs, byReceiverMs));
}
