import { tableName } from '../../settings/names.ts';
import { collection, type Stored } from '../../store/collection.ts';
import { dueKey, dueMessage } from '../../store/due/message.ts';
import { keyAttributes } from '../../store/item.ts';
import { claiming, isHeld, type Leased, released, withLease } from '../../store/lease.ts';
import { RaceLost } from '../../store/refusals.ts';
import { retryOnConflict } from '../../store/retry-on-conflict.ts';
import type { ItemWrite } from '../../store/write.ts';
import { nowOf, type Pace, pacingOf, type WebhookEngine } from '../engine.ts';
import { queueOf, type WakeUp } from '../wake-up.ts';

/** The pending deliveries of one webhook. One runner at a time holds the queue. */
export type DeliveryQueue = Leased & {
  readonly webhookId: string;
  readonly owner: string;
  /** Something was recorded while a runner held the queue: the runner must look again before it leaves. */
  readonly woken?: boolean | undefined;
  /** The receiver was slow: so many more turns go to the queue of slow webhooks. */
  readonly slow?: number | undefined;
  /** All recent attempts failed. */
  readonly failing?: boolean | undefined;
  /** The time of a wake-up message that is on its way already. */
  readonly alarmAtMs?: number | undefined;
};

export type DeliveryQueueId = { readonly owner: string; readonly webhookId: string };

const queuesOf = ({ service }: WebhookEngine) =>
  collection<DeliveryQueue, string>({
    service,
    name: 'delivery queue',
    id: ({ webhookId }) => webhookId,
    key: (webhookId) => ({ pk: `QUEUE#${webhookId}`, sk: 'QUEUE' }),
  });

const timerId = (webhookId: string): string => `queue:${webhookId}`;

/** Sets the timer of a queue. A queue has one timer: the new time replaces the old one. */
export const settingTimer = (
  engine: WebhookEngine,
  { owner, webhookId }: DeliveryQueueId,
  pace: Pace,
  dueAtMs: number,
): ItemWrite => {
  const body: WakeUp = { owner, webhookIds: [webhookId], look: 'again' };
  const id = timerId(webhookId);
  return dueMessage({ service: engine.service, queue: queueOf(engine, pace), body, dueAtMs, id });
};

export const clearingTimer = ({ service }: WebhookEngine, { webhookId }: DeliveryQueueId): ItemWrite => ({
  item: { Delete: { TableName: tableName(service), Key: keyAttributes(dueKey(timerId(webhookId))) } },
});

// The time to record the last results, with a margin for a slow store.
const RECORDING_MS = 15_000;

/** A run ends before its lease: its last attempt has ended and is recorded by then. */
const leaseMs = (engine: WebhookEngine, pace: Pace): number =>
  pacingOf(engine).turnMs[pace] + engine.policy().timeoutSeconds * 1000 + RECORDING_MS;

// The timer fires a little after the lease of a killed runner has ended, when the queue can be claimed.
const AFTER_LEASE_MS = 2_000;

/** A claimed queue. `isNew`: the index may not have the cause of the wake-up yet. */
export type ClaimedQueue = { readonly held: Stored<DeliveryQueue>; readonly isNew: boolean };

// A delivery that is recorded while a runner is about to leave is not forgotten:
//
//   runner     |--claims--looks: nothing ---------- releases: refused, woken --looks: finds it--POST
//   recorder           |--commits a delivery--wakes: held, so marks it woken
//
// A wake-up before the claim is covered by the first look; one after the release claims the queue itself. A runner that
// is killed holds the queue until its lease ends; then the timer that it set with its claim wakes another.

/** Claims a queue. 'held': another runner has it, and knows of the wake-up. 'slow': it belongs to the slow ones. */
export function claimQueue(
  engine: WebhookEngine,
  { owner, webhookId }: DeliveryQueueId,
  look: WakeUp['look'],
  pace: Pace,
): Promise<ClaimedQueue | 'held' | 'slow'> {
  const queues = queuesOf(engine);
  const claim = async () => {
    const current = await queues.get(webhookId);
    const nowMs = nowOf(engine);
    if (current && isHeld(current, nowMs)) {
      if (look === 'new' && !current.woken) await markWoken(engine, current);
      return 'held';
    }
    if (current?.slow && pace === 'quick') return 'slow';
    const lease = claiming(current ?? {}, { leaseMs: leaseMs(engine, pace), now: () => nowMs });
    const timerAtMs = nowMs + leaseMs(engine, pace) + AFTER_LEASE_MS;
    const also = [settingTimer(engine, { owner, webhookId }, pace, timerAtMs)];
    const held = await (current
      ? queues.change(current, { ...lease, woken: undefined }, { also })
      : queues.create({ webhookId, owner, ...lease }, { also }));
    return { held, isNew: look === 'new' || current?.woken === true };
  };
  return retryOnConflict(claim, { mayCreate: true });
}

async function markWoken(engine: WebhookEngine, current: Stored<DeliveryQueue>): Promise<void> {
  const { fence, leaseEndsAtMs } = current;
  await queuesOf(engine).change(
    current,
    { woken: true },
    { when: { fence, leaseEndsAtMs } as Partial<DeliveryQueue>, anyVersion: true },
  );
}

export type ReleaseOptions = {
  readonly marks: Pick<DeliveryQueue, 'slow' | 'failing' | 'alarmAtMs'>;
  readonly timer: ItemWrite;
  /** Release the queue even if it was woken, because another runner is on its way. */
  readonly evenIfWoken: boolean;
};

type ReleaseResult = 'released' | 'woken' | 'lost';

/** Releases a queue. 'woken': look again first. 'lost': another runner has claimed it since. */
export const releaseQueue = (
  engine: WebhookEngine,
  held: Stored<DeliveryQueue>,
  { marks, timer, evenIfWoken }: ReleaseOptions,
): Promise<ReleaseResult> => {
  const stillMine = { fence: held.fence };
  const notWoken = evenIfWoken ? {} : { woken: undefined };
  const when = { ...stillMine, ...notWoken } as Partial<DeliveryQueue>;
  const patch = { ...marks, ...released, woken: undefined };
  return releaseBy(engine, held, () =>
    queuesOf(engine).change(held, patch, { when, anyVersion: true, also: [timer] }),
  );
};

/** Deletes the empty queue of a removed webhook. */
export const deleteQueue = (engine: WebhookEngine, held: Stored<DeliveryQueue>): Promise<ReleaseResult> =>
  releaseBy(engine, held, () => queuesOf(engine).delete(held, { also: [clearingTimer(engine, held)] }));

async function releaseBy(
  engine: WebhookEngine,
  held: Stored<DeliveryQueue>,
  write: () => Promise<unknown>,
): Promise<ReleaseResult> {
  try {
    await write();
    return 'released';
  } catch (error) {
    if (!(error instanceof RaceLost)) throw error;
  }
  try {
    await queuesOf(engine).change(held, { woken: undefined }, withLease(held));
    return 'woken';
  } catch (error) {
    if (error instanceof RaceLost) return 'lost';
    throw error;
  }
}
