import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { fairSemaphore } from '../../async/fair-semaphore.ts';
import { processWide } from '../../async/process-wide.ts';
import { type ServiceName, tableName } from '../../settings/names.ts';
import { type KeptSlot, keptSlots, LEASE_MS } from './kept-slots.ts';
import { type AcquiredSlot, acquireInShard, releaseInShard, type ShardSlot } from './shard.ts';

/** A slot, held until it is released or its process is gone. */
export type LeasedSlot = KeptSlot;

export type SlotRequest = {
  /** How many may hold a slot at once. */
  readonly limit: number;
  /** How many more may wait. A caller that finds the queue full is refused at once. Infinity counts no waiters. */
  readonly queueLimit: number;
  /** The longest wait in the queue; 0 does not wait. */
  readonly waitMs: number;
  /** Shares the slots fairly: holders of this name leave one of `share` + 1 slots to others. A few are not divided. */
  readonly holder?: { readonly name: string; readonly share: number };
};

export type DistributedSemaphore = {
  /** A slot, or undefined when the semaphore is busy. */
  acquire(request: SlotRequest): Promise<LeasedSlot | undefined>;
  /** Costs no request: the slot waits a moment for the next caller, and goes back to the store in the background. */
  release(slot: LeasedSlot): void;
};

export type SemaphoreOptions = {
  readonly service: ServiceName;
  readonly name: string;
  /** A clock makes a process of its own, with its own slots: for tests. */
  readonly now?: () => number;
  readonly sleep?: (ms: number) => Promise<unknown>;
};

// A shard is one item. With this many holders it stays under 1 KB, so that a write costs one unit,
// and a larger limit is spread over several items before one of them grows hot.
const SLOTS_PER_SHARD = 25;

// From about the length of a short call up to a delay that a person does not notice. Each poll is a write.
const FIRST_POLL_MS = 40;
const LAST_POLL_MS = 400;

// A waiter gives its slot in the queue back by itself. If it is killed, the slot is free this long after the end of
// its wait.
const QUEUE_LEASE_MARGIN_MS = 10_000;

// Of the waiters of one process at one semaphore, one polls the store and the others wait behind it in the process.
const pollers = processWide('semaphore-pollers', fairSemaphore);
const ONE_POLLER = {
  slots: Number.POSITIVE_INFINITY,
  slotsPerKey: 1,
  maxWaiting: Number.POSITIVE_INFINITY,
};

/**
 * A semaphore across every instance of a function, in the service's table. A process keeps its slots from call to call,
 * so one that is called all the time makes no request; the first call after a while makes one. Waiters are not served
 * in order of arrival.
 * @example const calls = distributedSemaphore({ service: 'session', name: 'sign' });
 *          const slot = await calls.acquire(limits);
 *          if (!slot) throw refuse('SERVER_BUSY');
 */
export function distributedSemaphore(options: SemaphoreOptions): DistributedSemaphore {
  const { service, name, now, sleep = pause } = options;
  const kept = now ? keptSlots(now) : processWide(`slots.${service}/${name}`, () => keptSlots());
  const sharded = (kind: 'work' | 'queue', holder?: SlotRequest['holder']): Sharded => ({
    table: tableName(service),
    name: `SEMAPHORE#${name}#${kind}`,
    holder,
  });

  async function acquireInStore({ limit, holder }: SlotRequest): Promise<LeasedSlot | undefined> {
    const acquiredAtMs = kept.now();
    const limits = { slots: limit, leaseMs: LEASE_MS, nowMs: acquiredAtMs };
    const found = await acquireInAnyShard(sharded('work', holder), limits);
    const holderName = holder?.name ?? '';
    return found && kept.add(found.slot, { limit, holderName, shardLimit: found.shardLimit, acquiredAtMs });
  }

  async function acquireNow(request: SlotRequest): Promise<LeasedSlot | undefined> {
    const slot = kept.take({ limit: request.limit, holderName: request.holder?.name ?? '' });
    if (slot) return slot;
    // This process may keep slots for other holders. A caller is not refused because of them.
    return (
      (await acquireInStore(request)) ??
      ((await kept.releaseIdle()) ? await acquireInStore(request) : undefined)
    );
  }

  async function enterQueue({ queueLimit, waitMs, holder }: SlotRequest): Promise<ShardSlot | undefined> {
    const limits = { slots: queueLimit, leaseMs: waitMs + QUEUE_LEASE_MARGIN_MS, nowMs: kept.now() };
    return (await acquireInAnyShard(sharded('queue', holder), limits))?.slot;
  }

  return {
    release: kept.release,
    async acquire(request) {
      const { queueLimit, waitMs } = request;
      const slot = await acquireNow(request);
      if (slot || waitMs <= 0) return slot;

      const deadlineAtMs = kept.now() + waitMs;
      const isQueueLimited = Number.isFinite(queueLimit);
      const queued = isQueueLimited ? await enterQueue(request) : undefined;
      if (isQueueLimited && !queued) return undefined;
      const poller = await pollers.acquire(`${service}/${name}`, ONE_POLLER, { maxWaitMs: waitMs });
      try {
        if (!poller) return undefined;
        let pollMs = FIRST_POLL_MS;
        for (; kept.now() < deadlineAtMs; pollMs = Math.min(pollMs * 2, LAST_POLL_MS)) {
          // Jitter: callers that were refused together must not come back together.
          const jitteredMs = pollMs * (0.5 + Math.random());
          await sleep(Math.min(jitteredMs, deadlineAtMs - kept.now()));
          const acquired = await acquireNow(request);
          if (acquired) return acquired;
        }
        return undefined;
      } finally {
        poller?.release();
        // The call goes on, or is refused. The end of the lease frees the place in the queue too.
        if (queued) await releaseInShard(queued).catch(() => undefined);
      }
    },
  };
}

type Sharded = { readonly table: string; readonly name: string; readonly holder: SlotRequest['holder'] };
type Limits = { readonly slots: number; readonly leaseMs: number; readonly nowMs: number };
type Found = { readonly slot: AcquiredSlot; readonly shardLimit: number };

async function acquireInAnyShard(
  { table, name, holder }: Sharded,
  { slots, leaseMs, nowMs }: Limits,
): Promise<Found | undefined> {
  const shards = Math.ceil(slots / SLOTS_PER_SHARD);
  const first = shards > 1 ? randomInt(shards) : 0;
  for (let i = 0; i < shards; i++) {
    const n = (first + i) % shards;
    const shardLimit = Math.floor(slots / shards) + (n < slots % shards ? 1 : 0);
    const slot = await acquireInShard(
      { table, shard: `${name}#${n}` },
      { limit: shardLimit, nowMs, leaseEndsAtMs: nowMs + leaseMs, holder },
    );
    if (slot) return { slot, shardLimit };
  }
  return undefined;
}
