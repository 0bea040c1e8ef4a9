import { MAX_TIMER_MS } from './deadline.ts';

/** The right to work as one of so many at once. Release it when the work ends. */
export type Slot = { readonly release: () => void };

export type SemaphoreLimits = {
  /** All slots. */
  readonly slots: number;
  /** Slots that one key may hold, whatever is free. It may be a getter: it is read whenever a slot is free. */
  readonly slotsPerKey?: number;
  /** Where time alone changes `slotsPerKey`: the milliseconds until then, as a getter. Waiters are looked at again then. */
  readonly nextChangeMs?: number;
  /** How many may wait. The next caller is refused at once. */
  readonly maxWaiting: number;
  /** How many callers of one key may wait. */
  readonly maxWaitingPerKey?: number;
  /**
   * The part of the free slots that one key may take: it holds fewer than `share` times the slots that are left. 1
   * leaves half to others, 4 leaves a fifth. A few slots are not divided.
   */
  readonly share?: number;
};

export type Patience = {
  readonly maxWaitMs: number;
  /** A caller that hung up leaves the queue. */
  readonly signal?: AbortSignal | undefined;
};

export type FairSemaphore = {
  /** A slot. Undefined when the queue is full, the wait is over or would be too long, or the caller hung up. */
  acquire(key: string, limits: SemaphoreLimits, patience: Patience): Promise<Slot | undefined>;
  /** How many wait. */
  waiting(): number;
};

type Waiter = { readonly limits: SemaphoreLimits; readonly give: (slot: Slot | undefined) => void };

// The weight of the newest hold in the average: one slow call does not make every wait look too long.
const NEWEST_WEIGHT = 0.2;

/**
 * A semaphore of one process, shared fairly by key: an application, an organization. A key that holds many slots
 * leaves some free for others (dynamic threshold), and waiters are served by turns, one of each key (round robin).
 * @example const slot = await drawings.acquire(organizationId, limits, { maxWaitMs: 5_000 });
 *          if (!slot) throw errors.refuse('TooManyRequests');
 */
export function fairSemaphore(): FairSemaphore {
  const held = new Map<string, number>();
  // The keys are in the order in which they are served next.
  const waiting = new Map<string, Set<Waiter>>();
  let heldSlots = 0;
  let waiterCount = 0;
  let averageHoldMs = 0;
  let nextLook: NodeJS.Timeout | undefined;

  const mayHold = (key: string, { slots, slotsPerKey = slots, share = slots }: SemaphoreLimits): boolean =>
    isWithinShare(held.get(key) ?? 0, slots - heldSlots, slotsPerKey, share);

  function take(key: string): Slot {
    const startedAt = performance.now();
    let isHeld = true;
    heldSlots += 1;
    held.set(key, (held.get(key) ?? 0) + 1);
    return {
      release() {
        if (!isHeld) return;
        isHeld = false;
        const heldMs = performance.now() - startedAt;
        averageHoldMs =
          averageHoldMs === 0 ? heldMs : averageHoldMs * (1 - NEWEST_WEIGHT) + heldMs * NEWEST_WEIGHT;
        heldSlots -= 1;
        const left = (held.get(key) ?? 1) - 1;
        if (left > 0) held.set(key, left);
        else held.delete(key);
        serve();
      },
    };
  }

  // The next look is planned before this one: a change between the two is seen by this one.
  function serve(): void {
    planNextLook();
    giveFreeSlots();
    if (waiterCount === 0) clearTimeout(nextLook);
  }

  function giveFreeSlots(): void {
    let isServed = false;
    for (const [key, waiters] of [...waiting]) {
      const [first] = waiters;
      if (!first || !mayHold(key, first.limits)) continue;
      // The key goes to the back: the next slot is for another key.
      waiting.delete(key);
      waiting.set(key, waiters);
      first.give(take(key));
      isServed = true;
    }
    if (isServed) giveFreeSlots();
  }

  // A timer may fire before its time by performance.now(). Whoever still may not hold a slot then is looked at again:
  //
  //   waiter   |--may hold one in 50 ms--|49.7: not yet--|50.7: gets it
  function planNextLook(): void {
    clearTimeout(nextLook);
    const inMs = Math.min(...waiting.values().map(([first]) => first?.limits.nextChangeMs ?? MAX_TIMER_MS));
    if (inMs < MAX_TIMER_MS) nextLook = setTimeout(serve, inMs);
  }

  function leave(key: string, waiter: Waiter): boolean {
    const waiters = waiting.get(key);
    if (!waiters?.delete(waiter)) return false;
    if (waiters.size === 0) waiting.delete(key);
    waiterCount -= 1;
    return true;
  }

  /** The expected wait of the next caller of this key, from the average hold so far. */
  function expectedWaitMs(key: string, slots: number): number {
    const own = waiting.get(key)?.size ?? 0;
    const turns = Math.min(waiterCount, (own + 1) * Math.max(1, waiting.size));
    return (averageHoldMs * turns) / slots;
  }

  function mayWait(key: string, limits: SemaphoreLimits): boolean {
    const { maxWaiting, maxWaitingPerKey = maxWaiting, share = maxWaiting } = limits;
    const own = waiting.get(key)?.size ?? 0;
    return isWithinShare(own, maxWaiting - waiterCount, maxWaitingPerKey, share);
  }

  return {
    waiting: () => waiterCount,
    async acquire(key, limits, { maxWaitMs, signal }) {
      if (signal?.aborted) return undefined;
      if (!waiting.has(key) && mayHold(key, limits)) return take(key);
      if (maxWaitMs <= 0 || !mayWait(key, limits)) return undefined;
      if (expectedWaitMs(key, limits.slots) > maxWaitMs) return undefined;
      return new Promise((resolve) => {
        const giveUp = (): void => waiter.give(undefined);
        const timer = setTimeout(giveUp, Math.min(maxWaitMs, MAX_TIMER_MS));
        const waiter: Waiter = {
          limits,
          give(slot) {
            clearTimeout(timer);
            signal?.removeEventListener('abort', giveUp);
            if (leave(key, waiter)) resolve(slot);
          },
        };
        signal?.addEventListener('abort', giveUp);
        const waiters = waiting.get(key) ?? new Set();
        waiters.add(waiter);
        waiting.set(key, waiters);
        waiterCount += 1;
        serve();
      });
    },
  };
}

const isWithinShare = (own: number, free: number, max: number, share: number): boolean =>
  free > 0 && own < max && own < share * free;
