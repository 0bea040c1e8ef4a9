import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { fairSemaphore } from '../../async/fair-semaphore.ts';
import { processWide } from '../../async/process-wide.ts';
import { type ServiceName, tableName } from '../../settings/names.ts';
import { givePlaceBack, type ShardSlot, takePlace } from './shard.ts';

/** A place inside, held until it is given back or its lease ends. */
export type LeasedSlot = ShardSlot;

export type SlotRequest = {
  /** How many may be inside at once. */
  readonly limit: number;
  /** How many more may wait. Whoever finds the queue full is told so at once. Infinity counts nobody. */
  readonly queueLimit: number;
  /** Must outlast the longest call: a holder that was killed counts as inside until then. */
  readonly leaseMs: number;
  /** How long to wait in the queue at most; 0 does not wait. */
  readonly waitMs: number;
  /** Shares the places fairly: holders of this name leave one of `share` + 1 places to others. A few are not divided. */
  readonly holder?: { readonly name: string; readonly share: number };
  readonly now?: () => number;
  readonly sleep?: (ms: number) => Promise<unknown>;
};

export type DistributedSemaphore = {
  /** A ticket, or nothing when the gate is busy. */
  acquire(entry: SlotRequest): Promise<LeasedSlot | undefined>;
  release(ticket: LeasedSlot): Promise<void>;
};

// A room is one item. With this many holders it stays under 1 KB, so that a write costs one unit,
// and a larger limit is spread over several items before one of them grows hot.
const PLACES_PER_ROOM = 25;

// From about the length of a short call up to what a person does not yet feel. Each look is a write.
const FIRST_POLL_MS = 40;
const LAST_POLL_MS = 400;

// A waiter gives its place in the queue back by itself. Should it be killed, the place is free
// this long after its wait would have ended.
const QUEUE_LEASE_MARGIN_MS = 10_000;

// Of those in one process who wait at one gate, one looks at the store and the others wait behind it in the process.
const pollers = processWide('gate-pollers', fairSemaphore);
const ONE_POLLER = {
  slots: Number.POSITIVE_INFINITY,
  slotsPerKey: 1,
  maxWaiting: Number.POSITIVE_INFINITY,
};

/**
 * Admission to what bears only so many calls at once, counted across every instance of a function.
 * Uncontended it costs two writes, in and out. Those in the queue are not served in order of arrival.
 * @example const ticket = await admission({ service: 'session', name: 'sign' }).enter(limits);
 *          if (!ticket) throw refuse('SERVER_BUSY');
 */
export function distributedSemaphore({
  service,
  name,
}: {
  service: ServiceName;
  name: string;
}): DistributedSemaphore {
  // The call is over by now, and its answer must not be lost because the way out failed:
  // the end of the lease frees the place just as well.
  const leave = (ticket: LeasedSlot): Promise<void> => givePlaceBack(ticket).catch(() => undefined);

  return {
    release: leave,
    async acquire({ limit, queueLimit, leaseMs, waitMs, holder, now = Date.now, sleep = pause }) {
      const enterHall = (hall: string, places: number, lasting: number) =>
        takeAnyPlace(
          { table: tableName(service), hall: `GATE#${name}#${hall}`, holder },
          { places, leaseMs: lasting, nowMs: now() },
        );
      const enterInside = () => enterHall('inside', limit, leaseMs);

      const ticket = await enterInside();
      if (ticket || waitMs <= 0) return ticket;

      const deadline = now() + waitMs;
      const isCounted = Number.isFinite(queueLimit);
      const queued = isCounted
        ? await enterHall('queue', queueLimit, waitMs + QUEUE_LEASE_MARGIN_MS)
        : undefined;
      if (isCounted && !queued) return undefined;
      const poller = await pollers.acquire(`${service}/${name}`, ONE_POLLER, { maxWaitMs: waitMs });
      try {
        if (!poller) return undefined;
        for (let pollMs = FIRST_POLL_MS; now() < deadline; pollMs = Math.min(pollMs * 2, LAST_POLL_MS)) {
          // Jitter, or those who were refused together would come back together.
          const jitteredMs = pollMs * (0.5 + Math.random());
          await sleep(Math.min(jitteredMs, deadline - now()));
          const admitted = await enterInside();
          if (admitted) return admitted;
        }
        return undefined;
      } finally {
        poller?.release();
        if (queued) await leave(queued);
      }
    },
  };
}

type Hall = { readonly table: string; readonly hall: string; readonly holder: SlotRequest['holder'] };
type Stay = { readonly places: number; readonly leaseMs: number; readonly nowMs: number };

async function takeAnyPlace(
  { table, hall, holder }: Hall,
  { places, leaseMs, nowMs }: Stay,
): Promise<ShardSlot | undefined> {
  const rooms = Math.ceil(places / PLACES_PER_ROOM);
  const first = rooms > 1 ? randomInt(rooms) : 0;
  for (let i = 0; i < rooms; i++) {
    const n = (first + i) % rooms;
    const share = Math.floor(places / rooms) + (n < places % rooms ? 1 : 0);
    const place = await takePlace(
      { table, room: `${hall}#${n}` },
      { share, nowMs, endsAtMs: nowMs + leaseMs, holder },
    );
    if (place) return place;
  }
  return undefined;
}
