import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { fairSemaphore } from '../../async/fair-semaphore.ts';
import { processWide } from '../../async/process-wide.ts';
import { type ServiceName, tableName } from '../../settings/names.ts';
import { acquireInShard, releaseInShard, type ShardSlot } from './shard.ts';

/** A slot, held until it is released or its lease ends. */
export type LeasedSlot = ShardSlot;

export type SlotRequest = {
  /** How many may hold a slot at once. */
  readonly limit: number;
  /** How many more may wait. A caller that finds the queue full is refused at once. Infinity counts no waiters. */
  readonly queueLimit: number;
  /** Must outlast the longest call: a holder that was killed keeps its slot until then. */
  readonly leaseMs: number;
  /** The longest wait in the queue; 0 does not wait. */
  readonly waitMs: number;
  /** Shares the slots fairly: holders of this name leave one of `share` + 1 slots to others. A few are not divided. */
  readonly holder?: { readonly name: string; readonly share: number };
  readonly now?: () => number;
  readonly sleep?: (ms: number) => Promise<unknown>;
};

export type DistributedSemaphore = {
  /** A slot, or undefined when the semaphore is busy. */
  acquire(request: SlotRequest): Promise<LeasedSlot | undefined>;
  /** Never throws: the end of the lease frees the slot too. */
  release(slot: LeasedSlot): Promise<void>;
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
 * A semaphore across every instance of a function, in the service's table. Uncontended it costs two writes, one to
 * acquire and one to release. Waiters are not served in order of arrival.
 * @example const calls = distributedSemaphore({ service: 'session', name: 'sign' });
 *          const slot = await calls.acquire(limits);
 *          if (!slot) throw refuse('SERVER_BUSY');
 */
export function distributedSemaphore({
  service,
  name,
}: {
  service: ServiceName;
  name: string;
}): DistributedSemaphore {
  // The call is over by now, and its answer must not be lost because the release failed.
  const release = (slot: LeasedSlot): Promise<void> => releaseInShard(slot).catch(() => undefined);

  return {
    release,
    async acquire({ limit, queueLimit, leaseMs, waitMs, holder, now = Date.now, sleep = pause }) {
      const acquireOf = (kind: 'work' | 'queue', slots: number, lastingMs: number) =>
        acquireInAnyShard(
          { table: tableName(service), name: `SEMAPHORE#${name}#${kind}`, holder },
          { slots, leaseMs: lastingMs, nowMs: now() },
        );
      const acquireNow = () => acquireOf('work', limit, leaseMs);

      const slot = await acquireNow();
      if (slot || waitMs <= 0) return slot;

      const deadlineAtMs = now() + waitMs;
      const isQueueLimited = Number.isFinite(queueLimit);
      const queued = isQueueLimited
        ? await acquireOf('queue', queueLimit, waitMs + QUEUE_LEASE_MARGIN_MS)
        : undefined;
      if (isQueueLimited && !queued) return undefined;
      const poller = await pollers.acquire(`${service}/${name}`, ONE_POLLER, { maxWaitMs: waitMs });
      try {
        if (!poller) return undefined;
        for (let pollMs = FIRST_POLL_MS; now() < deadlineAtMs; pollMs = Math.min(pollMs * 2, LAST_POLL_MS)) {
          // Jitter: callers that were refused together must not come back together.
          const jitteredMs = pollMs * (0.5 + Math.random());
          await sleep(Math.min(jitteredMs, deadlineAtMs - now()));
          const acquired = await acquireNow();
          if (acquired) return acquired;
        }
        return undefined;
      } finally {
        poller?.release();
        if (queued) await release(queued);
      }
    },
  };
}

type Sharded = { readonly table: string; readonly name: string; readonly holder: SlotRequest['holder'] };
type Limits = { readonly slots: number; readonly leaseMs: number; readonly nowMs: number };

async function acquireInAnyShard(
  { table, name, holder }: Sharded,
  { slots, leaseMs, nowMs }: Limits,
): Promise<ShardSlot | undefined> {
  const shards = Math.ceil(slots / SLOTS_PER_SHARD);
  const first = shards > 1 ? randomInt(shards) : 0;
  for (let i = 0; i < shards; i++) {
    const n = (first + i) % shards;
    const slot = await acquireInShard(
      { table, shard: `${name}#${n}` },
      {
        limit: Math.floor(slots / shards) + (n < slots % shards ? 1 : 0),
        nowMs,
        leaseEndsAtMs: nowMs + leaseMs,
        holder,
      },
    );
    if (slot) return slot;
  }
  return undefined;
}
