import { tableName } from '../../settings/names.ts';
import { collection, type Stored } from '../../store/collection.ts';
import { dueKey, dueMessage } from '../../store/due/message.ts';
import { keyAttributes } from '../../store/item.ts';
import { claiming, isHeld, type Leased, released, withLease } from '../../store/lease.ts';
import { AlreadyExists, RaceLost } from '../../store/refusals.ts';
import type { ItemWrite } from '../../store/write.ts';
import { nowOf, type Pace, type WebhookEngine } from '../engine.ts';
import { leaseMs } from '../pacing.ts';
import { queueOf, type Wake } from '../wake-up.ts';

/** All that waits for one webhook. One runner at a time works on it. */
export type DeliveryQueue = Leased & {
  readonly webhookId: string;
  readonly owner: string;
  /** Something was recorded while a runner held the lane: it must look again before it leaves. */
  readonly woken?: boolean | undefined;
  /** Its receiver made us wait: for so many turns more it is among the slow; see `pacing.ts`. */
  readonly slow?: number | undefined;
  /** Nothing but failures came back lately. */
  readonly failing?: boolean | undefined;
  /** The moment for which a message is on its way already. */
  readonly alarmAtMs?: number | undefined;
};

export type DeliveryQueueId = { readonly owner: string; readonly webhookId: string };

const queuesOf = ({ service }: WebhookEngine) =>
  collection<DeliveryQueue, string>({
    service,
    name: 'lane',
    id: ({ webhookId }) => webhookId,
    key: (webhookId) => ({ pk: `LANE#${webhookId}`, sk: 'LANE' }),
  });

const timerId = (webhookId: string): string => `lane:${webhookId}`;

/** A lane has one timer. Set again, it has another time. */
export const settingTimer = (
  engine: WebhookEngine,
  { owner, webhookId }: DeliveryQueueId,
  pace: Pace,
  dueAtMs: number,
): ItemWrite => {
  const body: Wake = { owner, webhookIds: [webhookId], look: 'again' };
  return dueMessage({
    service: engine.service,
    queue: queueOf(engine, pace),
    body,
    dueAtMs,
    id: timerId(webhookId),
  });
};

export const clearingTimer = ({ service }: WebhookEngine, { webhookId }: DeliveryQueueId): ItemWrite => ({
  item: { Delete: { TableName: tableName(service), Key: keyAttributes(dueKey(timerId(webhookId))) } },
});

// The watchdog looks a little after the lease has ended, when the lane can be taken.
const WATCHDOG_MS = 2_000;
// Each lost round means that another one got somewhere.
const TRIES = 10;

/** A lane that was taken. `isNew`: what woke it may not be in the index yet. */
export type ClaimedQueue = { readonly held: Stored<DeliveryQueue>; readonly isNew: boolean };

// A delivery that is recorded while a runner is about to leave is not forgotten:
//
//   runner     |--takes the lane--looks: nothing ---------- leaves: refused, woken --looks: finds it--POST
//   recorder           |--commits a delivery--wakes: held, so marks it woken
//
// A wake-up before the lane is taken is seen by the first look; one after the runner left takes the lane itself.
// A runner that is killed holds the lane until its lease ends; then the timer that it set when it took it looks.

/** Takes a lane to work on it. 'held': another runner does, and knows. 'slow': it is the other queue's. */
export async function claimQueue(
  engine: WebhookEngine,
  { owner, webhookId }: DeliveryQueueId,
  look: Wake['look'],
  pace: Pace,
): Promise<ClaimedQueue | 'held' | 'slow'> {
  const lanes = queuesOf(engine);
  for (let tries = 1; ; tries++) {
    const current = await lanes.get(webhookId);
    try {
      if (current && isHeld(current, nowOf(engine))) {
        if (look === 'new' && !current.woken) await markWoken(engine, current);
        return 'held';
      }
      if (current?.slow && pace === 'quick') return 'slow';
      const lease = claiming(current ?? {}, { leaseMs: leaseMs(engine, pace), now: () => nowOf(engine) });
      const watchdog = settingTimer(
        engine,
        { owner, webhookId },
        pace,
        nowOf(engine) + leaseMs(engine, pace) + WATCHDOG_MS,
      );
      const held = await (current
        ? lanes.change(current, { ...lease, woken: undefined }, { also: [watchdog] })
        : lanes.create({ webhookId, owner, ...lease }, { also: [watchdog] }));
      return { held, isNew: look === 'new' || current?.woken === true };
    } catch (error) {
      const isRace = error instanceof RaceLost || error instanceof AlreadyExists;
      if (!isRace || tries >= TRIES) throw error;
    }
  }
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
  /** Leave even if the lane was woken, because another runner is on its way. */
  readonly anyway: boolean;
};

/** Gives a lane back. 'woken': there is something to look at first. 'lost': it is another runner's by now. */
export async function releaseQueue(
  engine: WebhookEngine,
  held: Stored<DeliveryQueue>,
  { marks, timer, anyway }: ReleaseOptions,
): Promise<'left' | 'woken' | 'lost'> {
  const lanes = queuesOf(engine);
  const stillMine = { fence: held.fence };
  const notWoken = anyway ? {} : { woken: undefined };
  const when = { ...stillMine, ...notWoken } as Partial<DeliveryQueue>;
  try {
    await lanes.change(
      held,
      { ...marks, ...released, woken: undefined },
      { when, anyVersion: true, also: [timer] },
    );
    return 'left';
  } catch (error) {
    if (!(error instanceof RaceLost)) throw error;
    return seeWoken(engine, held);
  }
}

async function seeWoken(engine: WebhookEngine, held: Stored<DeliveryQueue>): Promise<'woken' | 'lost'> {
  try {
    await queuesOf(engine).change(held, { woken: undefined }, withLease(held));
    return 'woken';
  } catch (error) {
    if (error instanceof RaceLost) return 'lost';
    throw error;
  }
}

/** The end of a lane whose webhook is gone and that has nothing left in it. */
export async function deleteQueue(
  engine: WebhookEngine,
  held: Stored<DeliveryQueue>,
): Promise<'left' | 'woken' | 'lost'> {
  try {
    await queuesOf(engine).delete(held, { also: [clearingTimer(engine, held)] });
    return 'left';
  } catch (error) {
    if (!(error instanceof RaceLost)) throw error;
    return seeWoken(engine, held);
  }
}
