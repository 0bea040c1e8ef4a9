import { refreshAhead } from '../../async/refresh-ahead.ts';
import type { GuardedFetch } from '../../net/guarded.ts';
import type { Stored } from '../../store/collection.ts';
import { nowOf, type Pace, type WebhookEngine } from '../engine.ts';
import { pacingOf } from '../pacing.ts';
import { getWebhook } from '../registrations/registrations.ts';
import type { Webhook } from '../webhook.ts';
import type { DeliveryQueue } from './delivery-queue.ts';

/** What a runner sees and counts while it has a lane. */
export type Turn = {
  readonly engine: WebhookEngine;
  readonly lane: Stored<DeliveryQueue>;
  readonly pace: Pace;
  readonly call: GuardedFetch;
  /** The webhook as it is registered now; nothing when it was removed. */
  readonly webhook: () => Promise<Webhook | undefined>;
  /** Begin nothing more: the time is over, or the receiver is slow and this is the queue of the quick. */
  readonly isOver: () => boolean;
  readonly saw: Seen;
};

/** Changed as attempts end. */
export type Seen = {
  confirmed: number;
  failed: number;
  exhausted: number;
  stopped: number;
  /** Answered, but another writer had changed the delivery meanwhile. */
  tooLate: number;
  isSlow: boolean;
  isRemoved: boolean;
  failuresInARow: number;
};

export function beginTurn(
  engine: WebhookEngine,
  lane: Stored<DeliveryQueue>,
  pace: Pace,
  call: GuardedFetch,
): Turn {
  const endsAtMs = nowOf(engine) + pacingOf(engine).turnMs[pace];
  const saw: Seen = {
    confirmed: 0,
    failed: 0,
    exhausted: 0,
    stopped: 0,
    tooLate: 0,
    isSlow: false,
    isRemoved: false,
    failuresInARow: lane.failing ? engine.policy().concurrency : 0,
  };
  return {
    engine,
    lane,
    pace,
    call,
    saw,
    webhook: refreshAhead(() => getWebhook(engine, lane.owner, lane.webhookId)),
    isOver: () => saw.isRemoved || nowOf(engine) >= endsAtMs || (pace === 'quick' && saw.isSlow),
  };
}
