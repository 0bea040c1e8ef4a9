/** A place among those who work at once. Give it back exactly once. */
export type Slot = { readonly release: () => void };

export type SemaphoreLimits = {
  /** Slots in all. */
  readonly slots: number;
  /** Slots that one key may hold, whatever is free. Read again whenever a slot is free: it may be a getter. */
  readonly slotsPerKey?: number;
  /** How many may wait. The next one is refused at once. */
  readonly maxWaiting: number;
  /** How many of one key may wait. */
  readonly maxWaitingPerKey?: number;
  /**
   * How much of what is free one key may take: it holds fewer than `share` times the slots that are left. 1 leaves
   * half to others, 4 a fifth. A few slots are not divided.
   */
  readonly share?: number;
};

export type Patience = {
  readonly maxWaitMs: number;
  /** A caller that hung up leaves the queue. */
  readonly signal?: AbortSignal | undefined;
};

export type FairSemaphore = {
  /** A slot; nothing when the queue is full, the wait is over or cannot be met, or the caller is gone. */
  acquire(key: string, limits: SemaphoreLimits, patience: Patience): Promise<Slot | undefined>;
  /** Serves those who wait by the limits of this moment, where these change without a slot being given back. */
  review(): void;
};

type Waiter = { readonly limits: SemaphoreLimits; readonly give: (slot: Slot | undefined) => void };

// The newest hold counts a fifth: one slow call does not make everybody's wait look hopeless.
const NEWEST = 0.2;

/**
 * Slots of one process, shared fairly by key: an application, an organization. Who holds much leaves some free for
 * others (dynamic threshold), and those who wait are served by turns, one of each key (round robin).
 * @example const slot = await drawings.acquire(organizationId, limits, { maxWaitMs: 5_000 });
 *          if (!slot) throw errors.refuse('TooManyRequests');
 */
export function fairSemaphore(): FairSemaphore {
  const held = new Map<string, number>();
  // In the order in which the keys are served next.
  const waiting = new Map<string, Set<Waiter>>();
  let holding = 0;
  let lining = 0;
  let usualHoldMs = 0;

  const mayHold = (key: string, { slots, slotsPerKey = slots, share = slots }: SemaphoreLimits): boolean =>
    isWithinShare(held.get(key) ?? 0, slots - holding, slotsPerKey, share);

  function take(key: string): Slot {
    const startedAt = performance.now();
    let isHeld = true;
    holding += 1;
    held.set(key, (held.get(key) ?? 0) + 1);
    return {
      release() {
        if (!isHeld) return;
        isHeld = false;
        const heldMs = performance.now() - startedAt;
        usualHoldMs = usualHoldMs === 0 ? heldMs : usualHoldMs * (1 - NEWEST) + heldMs * NEWEST;
        holding -= 1;
        const left = (held.get(key) ?? 1) - 1;
        if (left > 0) held.set(key, left);
        else held.delete(key);
        serve();
      },
    };
  }

  function serve(): void {
    let isServed = false;
    for (const [key, waiters] of [...waiting]) {
      const [first] = waiters;
      if (!first || !mayHold(key, first.limits)) continue;
      // To the back: the next slot is another key's.
      waiting.delete(key);
      waiting.set(key, waiters);
      first.give(take(key));
      isServed = true;
    }
    if (isServed) serve();
  }

  function leave(key: string, waiter: Waiter): boolean {
    const waiters = waiting.get(key);
    if (!waiters?.delete(waiter)) return false;
    if (waiters.size === 0) waiting.delete(key);
    lining -= 1;
    return true;
  }

  /** How long the next one of this key would wait, as far as the calls before it tell. */
  function expectedWaitMs(key: string, slots: number): number {
    const own = waiting.get(key)?.size ?? 0;
    const turns = Math.min(lining, (own + 1) * Math.max(1, waiting.size));
    return (usualHoldMs * turns) / slots;
  }

  function hasRoomToWait(key: string, limits: SemaphoreLimits): boolean {
    const { maxWaiting, maxWaitingPerKey = maxWaiting, share = maxWaiting } = limits;
    const own = waiting.get(key)?.size ?? 0;
    return isWithinShare(own, maxWaiting - lining, maxWaitingPerKey, share);
  }

  return {
    review: serve,
    async acquire(key, limits, { maxWaitMs, signal }) {
      if (signal?.aborted) return undefined;
      if (!waiting.has(key) && mayHold(key, limits)) return take(key);
      if (maxWaitMs <= 0 || !hasRoomToWait(key, limits)) return undefined;
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
        lining += 1;
      });
    },
  };
}

// A longer delay makes a timer fire at once.
const MAX_TIMER_MS = 2 ** 31 - 1;

const isWithinShare = (own: number, free: number, most: number, share: number): boolean =>
  free > 0 && own < most && own < share * free;
