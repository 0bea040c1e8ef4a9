import { type AcquiredSlot, type ShardSlot, updateShard } from './shard.ts';

/** How long a slot is a process's own after the store confirmed it. A killed process frees its slots by then. */
export const LEASE_MS = 15_000;
// A live process renews its slots when a third of their lease is over, and tries again every second.
const RENEW_AFTER_MS = 5_000;
const LOOK_EVERY_MS = 1_000;
// How long a released slot waits for the next caller of its holder.
const IDLE_MS = 3_000;
// Clocks of two processes may differ by so much: before the end of its lease by less, a slot may be another's already.
const CLOCK_MARGIN_MS = 1_000;
// The longest function. A slot held for longer has lost its holder.
const MAX_HOLD_MS = 900_000;

/** A slot of this process. */
export type KeptSlot = ShardSlot & {
  readonly limit: number;
  readonly holderName: string;
  /** Half of the shard was held: the slot is of use to others. */
  readonly isCrowded: boolean;
  isHeld: boolean;
  /** When it was last taken or released. */
  sinceMs: number;
  leaseEndsAtMs: number;
};

type SlotOptions = { readonly limit: number; readonly holderName: string };

// Three processes and their slots. Writes of the first are below its line, all but the first in the background:
//
//   process 1  |call|  |call| |call|      |--------- call ---------|      idle      |
//              acquires                      renews   renews                releases
//   process 2  |call| killed                       lease ends |   others replace its holder
//              acquires
//   process 3  |call| frozen ................................ |   thaws: its lease is over, it acquires anew
//              acquires
//
// A slot is used only while its lease lasts by this process's clock, so no two processes use the same one. Slots of a
// crowded shard are not kept: at most half of them wait for callers of their own process. AWS freezes a process between
// calls, which leaves its idle slot to the end of the lease.

/**
 * The slots of one semaphore that a process holds or keeps for its next callers.
 * @example const slot = kept.take({ limit: 200, holderName: 'acme' }) ?? kept.add(await acquireInShard(…), …);
 */
export function keptSlots(now: () => number = () => Date.now()) {
  // In the order of their last use, the newest last.
  const slots = new Set<KeptSlot>();
  let timer: NodeJS.Timeout | undefined;
  let isWorking = false;
  let isRequested = false;

  const byShard = (some: Iterable<KeptSlot>) => Map.groupBy(some, ({ table, shard }) => `${table}/${shard}`);

  /** Releases what nobody needs, and renews what is due: at most one write for each shard. */
  async function maintain(): Promise<void> {
    isRequested = true;
    if (isWorking) return;
    isWorking = true;
    try {
      while (isRequested) {
        isRequested = false;
        await Promise.all([...byShard(slots).values()].map(maintainShard));
      }
    } finally {
      isWorking = false;
    }
    if (slots.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  }

  async function maintainShard(group: readonly KeptSlot[]): Promise<void> {
    const nowMs = now();
    const isSurplus = ({ isHeld, isCrowded, sinceMs }: KeptSlot): boolean =>
      isHeld ? nowMs - sinceMs > MAX_HOLD_MS : isCrowded || nowMs - sinceMs >= IDLE_MS;
    const released = group.filter(isSurplus);
    const renewed = group.filter((slot) => !isSurplus(slot));
    const isDue = renewed.some(({ leaseEndsAtMs }) => leaseEndsAtMs - nowMs <= LEASE_MS - RENEW_AFTER_MS);
    if (released.length > 0 || isDue) await write({ released, renewed, nowMs });
  }

  async function write({ released, renewed, nowMs }: Changes): Promise<void> {
    const [any] = [...released, ...renewed];
    for (const slot of released) slots.delete(slot);
    if (!any) return;
    const leaseEndsAtMs = nowMs + LEASE_MS;
    const holders = (some: readonly KeptSlot[]) => some.map(({ holder }) => holder);
    const update = { released: holders(released), renewed: holders(renewed), leaseEndsAtMs };
    // A store that does not answer is asked again in a second. Meanwhile the leases stand as they are.
    const lost = await updateShard(any, update).catch(() => undefined);
    for (const slot of lost ? renewed : []) {
      if (lost?.has(slot.holder)) slots.delete(slot);
      else slot.leaseEndsAtMs = leaseEndsAtMs;
    }
  }

  function hold(slot: KeptSlot): KeptSlot {
    Object.assign(slot, { isHeld: true, sinceMs: now() });
    return slot;
  }

  return {
    now,

    /** An idle slot of this holder, if there is one. It costs no request to the store. */
    take({ limit, holderName }: SlotOptions): KeptSlot | undefined {
      const slot = [...slots].findLast(
        (each) =>
          !each.isHeld &&
          each.limit === limit &&
          each.holderName === holderName &&
          each.leaseEndsAtMs - CLOCK_MARGIN_MS > now(),
      );
      return slot && hold(slot);
    },

    /** Keeps a slot that was acquired at `acquiredAtMs` in a shard of `shardLimit` slots. */
    add(
      acquired: AcquiredSlot,
      options: SlotOptions & { readonly shardLimit: number; readonly acquiredAtMs: number },
    ): KeptSlot {
      const { heldSlots, ...slot } = acquired;
      const { limit, holderName, shardLimit, acquiredAtMs } = options;
      const isCrowded = heldSlots * 2 > shardLimit;
      const leaseEndsAtMs = acquiredAtMs + LEASE_MS;
      const added: KeptSlot = {
        ...{ ...slot, limit, holderName, isCrowded, leaseEndsAtMs },
        ...{ isHeld: true, sinceMs: now() },
      };
      slots.add(added);
      timer ??= setInterval(() => void maintain(), LOOK_EVERY_MS).unref();
      return added;
    },

    /** The slot is free for the next caller. One that was lost is left alone. */
    release(slot: KeptSlot): void {
      if (!slots.delete(slot)) return;
      Object.assign(slot, { isHeld: false, sinceMs: now() });
      slots.add(slot);
      // Whoever waits in this process takes it first.
      if (slot.isCrowded) setImmediate(() => void maintain()).unref();
    },

    /** Gives all idle slots back to the store, for holders of other names. Returns whether there were any. */
    async releaseIdle(): Promise<boolean> {
      const idle = [...slots].filter(({ isHeld }) => !isHeld);
      const groups = [...byShard(idle).values()];
      await Promise.all(groups.map((released) => write({ released, renewed: [], nowMs: now() })));
      return idle.length > 0;
    },

    maintain,
  };
}

type Changes = {
  readonly released: readonly KeptSlot[];
  readonly renewed: readonly KeptSlot[];
  readonly nowMs: number;
};
