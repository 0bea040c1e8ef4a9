import { randomUUID } from 'node:crypto';
import { ConditionalCheckFailedException, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { tableName } from '../../settings/names.ts';
import { dynamo } from '../../store/client.ts';
import type { Stored } from '../../store/collection.ts';
import { keyAttributes, toAttributes } from '../../store/item.ts';
import { claiming, isHeld } from '../../store/lease.ts';
import { retryOnConflict, retryWhileLocked } from '../../store/retry-on-conflict.ts';
import { nowOf, type Pace, pacingOf, type WebhookEngine } from '../engine.ts';
import type { WakeUp } from '../wake-up.ts';
import {
  type DeliveryQueue,
  type DeliveryQueueId,
  queueKey,
  queuesOf,
  settingTimer,
} from './delivery-queue.ts';

// The time to record the last results, with a margin for a slow store.
const RECORDING_MS = 15_000;

/** A run ends before its lease: its last attempt has ended and is recorded by then. */
const leaseMs = (engine: WebhookEngine, pace: Pace): number =>
  pacingOf(engine).turnMs[pace] + engine.policy().timeoutSeconds * 1000 + RECORDING_MS;

// The timer fires a little after the lease of a killed runner has ended, when the queue can be claimed.
const AFTER_LEASE_MS = 2_000;

export type ClaimedQueue = {
  readonly held: Stored<DeliveryQueue>;
  /** The index may not have the cause of the wake-up yet. */
  readonly isNew: boolean;
  /** Nothing is known to be due but the deliveries that the wake-up names. */
  readonly isNamed: boolean;
};

/**
 * Claims a queue. 'held': another runner has it, and knows of the wake-up. 'slow': it belongs to the slow ones. A wake-up
 * that names its deliveries claims a queue in good order by one write.
 */
export async function claimQueue(
  engine: WebhookEngine,
  id: DeliveryQueueId,
  look: WakeUp['look'],
  pace: Pace,
  isNamed = false,
): Promise<ClaimedQueue | 'held' | 'slow'> {
  const named = isNamed && pace === 'quick' ? await claimNamed(engine, id) : {};
  if (named.held) return { held: named.held, isNew: false, isNamed };
  let { found } = named;
  const claim = async () => {
    const current = found ?? (await queuesOf(engine).get(id.webhookId));
    found = undefined;
    return claimTimed(engine, id, current, look, pace);
  };
  return retryOnConflict(claim, { mayCreate: true });
}

// A delivery that is recorded while a runner is about to leave is not forgotten:
//
//   runner     |--claims--looks: nothing ---------- releases: refused, woken --looks: finds it--POST
//   recorder           |--commits a delivery--wakes: held, so marks it woken
//
// A wake-up before the claim is covered by the first look; one after the release claims the queue itself. A runner that
// is killed holds the queue until its lease ends; then the timer that it set with its claim wakes another.
async function claimTimed(
  engine: WebhookEngine,
  { owner, webhookId }: DeliveryQueueId,
  current: Stored<DeliveryQueue> | undefined,
  look: WakeUp['look'],
  pace: Pace,
): Promise<ClaimedQueue | 'held' | 'slow'> {
  const queues = queuesOf(engine);
  const nowMs = nowOf(engine);
  if (current && isHeld(current, nowMs)) {
    if (!current.woken && (look === 'new' || current.untimed)) await markWoken(engine, current);
    return 'held';
  }
  if (current?.slow && pace === 'quick') return 'slow';
  const lease = claiming(current ?? {}, { leaseMs: leaseMs(engine, pace), now: () => nowMs });
  const timerAtMs = nowMs + leaseMs(engine, pace) + AFTER_LEASE_MS;
  const also = [settingTimer(engine, { owner, webhookId }, pace, timerAtMs)];
  const held = await (current
    ? queues.change(current, { ...lease, untimed: undefined, woken: undefined }, { also })
    : queues.create({ webhookId, owner, ...lease }, { also }));
  return { held, isNew: look === 'new' || current?.woken === true, isNamed: false };
}

async function markWoken(engine: WebhookEngine, current: Stored<DeliveryQueue>): Promise<void> {
  const { fence, leaseEndsAtMs = 0, untimed } = current;
  const timer = () => settingTimer(engine, current, 'quick', leaseEndsAtMs + AFTER_LEASE_MS);
  await queuesOf(engine).change(
    current,
    { woken: true },
    {
      when: { fence, leaseEndsAtMs } as Partial<DeliveryQueue>,
      anyVersion: true,
      also: untimed ? [timer()] : [],
    },
  );
}

// A wake-up that names its deliveries is in the outbox until they are done, so its runner needs no timer:
//
//   runner 1  |--claims, untimed--POST-- killed
//   sweeper                       (head start over) |--sends the wake-up again
//   runner 2                                          |--held: marks it woken, sets the timer--forgets the wake-up
//   timer                                                      (lease over) |--wakes: claims, looks, finds it--POST
//
// Any other wake-up that meets runner 1 does as runner 2 does, so nothing is forgotten while only runner 1 knows it.
// When the lease is over by the time that the wake-up comes again, it claims the queue itself: it was not released, so
// the claim is a timed one, with a look into the index for everything that runner 1 had.
const isReleased = 'attribute_not_exists(leaseEndsAtMs)'; // and so not woken either
const isQuick = 'attribute_not_exists(slow)';
const isNotFailing = 'attribute_not_exists(failing)'; // attempts of a failing webhook are spaced out, by the index

/** Claims a queue in good order; otherwise the queue as it was found, for the timed claim. */
async function claimNamed(
  engine: WebhookEngine,
  { owner, webhookId }: DeliveryQueueId,
): Promise<{ readonly held?: Stored<DeliveryQueue>; readonly found?: Stored<DeliveryQueue> | undefined }> {
  const { read } = queuesOf(engine);
  const version = randomUUID();
  const claim = new UpdateItemCommand({
    TableName: tableName(engine.service),
    Key: keyAttributes(queueKey(webhookId)),
    UpdateExpression:
      'SET webhookId = :webhookId, #owner = :owner, leaseEndsAtMs = :endsAt, untimed = :yes, version = :version ADD fence :one',
    ConditionExpression: [isReleased, isQuick, isNotFailing].join(' AND '),
    ExpressionAttributeNames: { '#owner': 'owner' },
    ExpressionAttributeValues: toAttributes({
      ':webhookId': webhookId,
      ':owner': owner,
      ':endsAt': nowOf(engine) + leaseMs(engine, 'quick'),
      ':yes': true,
      ':version': version,
      ':one': 1,
    }),
    ReturnValues: 'ALL_NEW',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  try {
    const { Attributes = {} } = await retryWhileLocked(() => dynamo().send(claim));
    return { held: read(Attributes) };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    const found = error.Item && read(error.Item);
    // The first write landed and its answer was lost: the client's second one found our own claim.
    return found?.version === version ? { held: found } : { found };
  }
}
