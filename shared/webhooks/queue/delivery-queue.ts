import { collection, type Stored } from '../../store/collection.ts';
import { commit } from '../../store/commit.ts';
import { canceling, dueMessage } from '../../store/due/message.ts';
import { type Leased, released, withLease } from '../../store/lease.ts';
import { RaceLost } from '../../store/refusals.ts';
import type { ItemWrite, Write } from '../../store/write.ts';
import type { Pace, WebhookEngine } from '../engine.ts';
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
  /**
   * The runner set no timer and delivers only what its wake-up names. So any other wake-up marks the queue woken, and
   * sets the timer.
   */
  readonly untimed?: boolean | undefined;
};

export type DeliveryQueueId = { readonly owner: string; readonly webhookId: string };

export const queueKey = (webhookId: string) => ({ pk: `QUEUE#${webhookId}`, sk: 'QUEUE' });

export const queuesOf = ({ service }: WebhookEngine) =>
  collection<DeliveryQueue, string>({
    service,
    name: 'delivery queue',
    id: ({ webhookId }) => webhookId,
    key: queueKey,
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

export const clearingTimer = ({ service }: WebhookEngine, { webhookId }: DeliveryQueueId): ItemWrite =>
  canceling(service, timerId(webhookId));

export type ReleaseOptions = {
  readonly marks: Partial<Pick<DeliveryQueue, 'slow' | 'failing' | 'alarmAtMs'>>;
  /** Sets or clears the timer. Without it the timer stays as it is. */
  readonly timer?: ItemWrite;
  /** Release the queue even if it was woken, because another runner is on its way. */
  readonly evenIfWoken: boolean;
};

export type ReleaseResult = 'released' | 'woken' | 'lost';

/** The release of a queue as writes. Refused with RaceLost when it was woken, or claimed by another runner since. */
export const releasing = (
  engine: WebhookEngine,
  held: Stored<DeliveryQueue>,
  { marks, timer, evenIfWoken }: ReleaseOptions,
): readonly Write[] => {
  const stillMine = { fence: held.fence };
  const notWoken = evenIfWoken ? {} : { woken: undefined };
  const when = { ...stillMine, ...notWoken } as Partial<DeliveryQueue>;
  const patch = { ...marks, ...released, untimed: undefined, woken: undefined };
  const release = queuesOf(engine).changing(held, patch, { when, anyVersion: true });
  return timer ? [release, timer] : [release];
};

/** Releases a queue. 'woken': look again first. 'lost': another runner has claimed it since. */
export const releaseQueue = (
  engine: WebhookEngine,
  held: Stored<DeliveryQueue>,
  options: ReleaseOptions,
): Promise<ReleaseResult> => releaseBy(engine, held, () => commit(releasing(engine, held, options)));

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
