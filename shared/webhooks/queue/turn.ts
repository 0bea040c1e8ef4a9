import { refreshAhead } from '../../async/refresh-ahead.ts';
import type { Logger } from '../../log/logger.ts';
import type { GuardedFetch } from '../../net/request.ts';
import type { Stored } from '../../store/collection.ts';
import { nowOf, type Pace, pacingOf, type WebhookEngine } from '../engine.ts';
import { type Credentials, credentialsOf } from '../registrations/credentials.ts';
import { getWebhook } from '../registrations/lookup.ts';
import type { Webhook } from '../webhook.ts';
import type { DeliveryQueue } from './delivery-queue.ts';
import type { AttemptResult } from './record-attempt.ts';
import { renderAhead } from './render-ahead.ts';

/** The work of a runner while it holds a delivery queue. */
export type Turn = {
  readonly engine: WebhookEngine;
  readonly queue: Stored<DeliveryQueue>;
  readonly pace: Pace;
  readonly call: GuardedFetch;
  readonly log: Logger;
  /** The webhook as it is registered now; undefined when it was removed. */
  readonly webhook: () => Promise<Webhook | undefined>;
  /** The credentials of a webhook, opened once for as long as it stays as it is registered. */
  readonly credentials: (webhook: Webhook) => Credentials | undefined;
  /** The content of an event that names its subject, as it is now. */
  readonly render: ReturnType<typeof renderAhead>;
  /** Begin no attempt: the time is over, the webhook was removed, or a slow receiver holds the quick queue. */
  readonly isOver: () => boolean;
  /** The attempts under way, by their start. */
  readonly underWay: Set<{ readonly startedAtMs: number }>;
  readonly stats: TurnStats;
  /** The next attempts of deliveries that wait, by event, as the turn knows them. The index may not have them yet. */
  readonly retriesAtMs: Map<string, number>;
};

/** Updated as attempts end. */
export type TurnStats = {
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

/** How a turn ends: with more deliveries that are due now, or with the time of the next one. */
export type Remaining = { readonly more: boolean; readonly nextAtMs?: number | undefined };

export function startTurn(
  engine: WebhookEngine,
  queue: Stored<DeliveryQueue>,
  pace: Pace,
  call: GuardedFetch,
  log: Logger,
): Turn {
  const { turnMs, slowAfterMs } = pacingOf(engine);
  const endsAtMs = nowOf(engine) + turnMs[pace];
  const underWay: Turn['underWay'] = new Set();
  const stats: TurnStats = {
    confirmed: 0,
    failed: 0,
    exhausted: 0,
    stopped: 0,
    tooLate: 0,
    isSlow: false,
    isRemoved: false,
    failuresInARow: queue.failing ? engine.policy().concurrency : 0,
  };
  const isSlow = (nowMs: number): boolean =>
    stats.isSlow || underWay.values().some(({ startedAtMs }) => nowMs - startedAtMs > slowAfterMs);
  return {
    engine,
    queue,
    pace,
    call,
    log,
    underWay,
    stats,
    retriesAtMs: new Map(),
    webhook: refreshAhead(
      () => getWebhook(engine, queue.owner, queue.webhookId),
      () => nowOf(engine),
    ),
    credentials: openOnce(engine),
    render: renderAhead(engine),
    isOver: () => {
      const nowMs = nowOf(engine);
      return stats.isRemoved || nowMs >= endsAtMs || (pace === 'quick' && isSlow(nowMs));
    },
  };
}

// Opening a seal derives a key, which costs as much as the call of a quick receiver.
function openOnce(engine: WebhookEngine) {
  let opened: { readonly webhook: Webhook; readonly credentials: Credentials | undefined } | undefined;
  const isSame = ({ sealed, url, token, secret }: Webhook): boolean =>
    opened?.webhook.sealed === sealed &&
    opened?.webhook.url === url &&
    opened?.webhook.token === token &&
    opened?.webhook.secret === secret;
  return (webhook: Webhook): Credentials | undefined => {
    if (!opened || !isSame(webhook)) opened = { webhook, credentials: credentialsOf(engine, webhook) };
    return opened.credentials;
  };
}

/** Counts a result that was committed, or refused because another writer had changed the delivery first. */
export function countResult({ stats, retriesAtMs }: Turn, result: AttemptResult, isCommitted: boolean): void {
  const { eventId, event, nextAttemptAtMs } = result;
  stats[isCommitted ? event : 'tooLate'] += 1;
  if (isCommitted && nextAttemptAtMs !== undefined) retriesAtMs.set(eventId, nextAttemptAtMs);
  else retriesAtMs.delete(eventId);
}
