import type { Along, Collection, Expectation, Stored } from './collection.ts';

/** The fields of an item that one worker at a time holds. The fence grows with every claim and never shrinks. */
export type Leased = { readonly fence?: number; readonly leaseEndsAtMs?: number };

export type LeaseTime = { readonly leaseMs: number; readonly now?: () => number };

// A job's lease, when two workers meet:
//
//   worker 1  |--claim (fence 7)------ stalls -------------------------- finish (7) refused
//   worker 2               lease ends  |--claim (fence 8)---- finish (8) --|
//
// Only the newest fence may finish, so the work's result is stored once. Others may still write to the item
// meanwhile, a note or a request to cancel: the worker keeps its lease.
// A fence guards writes to this table only. Effects of a stalled worker elsewhere need an idempotency key that is made
// before the work and is the same for every attempt.

/** @example if (isHeld(job, now())) return; */
export const isHeld = ({ leaseEndsAtMs = 0 }: Leased, nowMs: number): boolean => leaseEndsAtMs > nowMs;

/**
 * The fields that claim an item, for the patch of a transition, which expects the version that was read.
 * @example await transition(jobs, jobStates, job, 'pickedUp', claiming(job, { leaseMs: 60_000 }));
 */
export const claiming = ({ fence = 0 }: Leased, { leaseMs, now = Date.now }: LeaseTime): Leased => ({
  fence: fence + 1,
  leaseEndsAtMs: now() + leaseMs,
});

/**
 * The expectation of a write under a lease: no other worker has claimed the item since.
 * @example await transition(jobs, jobStates, held, 'signed', { ...released }, withLease(held));
 */
export const withLease = <T extends Leased>(held: Stored<T>): Expectation<T> => ({
  when: { fence: held.fence } as Partial<T>,
  anyVersion: true,
});

/** The field that releases an item before its lease ends. The fence stays: it must never shrink. */
export const released: Leased = { leaseEndsAtMs: undefined };

/**
 * Claims an item to work on. Undefined when another worker holds it; RaceLost when another was faster just now.
 * @example const held = await claim(jobs, job, { leaseMs: 60_000 });
 */
export async function claim<T extends Leased, Id>(
  items: Collection<T, Id>,
  current: Stored<T>,
  time: LeaseTime,
  along: Along = {},
): Promise<Stored<T> | undefined> {
  if (isHeld(current, (time.now ?? Date.now)())) return undefined;
  return items.change(current, claiming(current, time) as Partial<T>, along);
}

/**
 * Extends the lease. RaceLost when another worker has claimed the item since: stop working.
 * @example held = await extend(jobs, held, { leaseMs: 60_000 });
 */
export const extend = <T extends Leased, Id>(
  items: Collection<T, Id>,
  held: Stored<T>,
  { leaseMs, now = Date.now }: LeaseTime,
): Promise<Stored<T>> =>
  items.change(held, { leaseEndsAtMs: now() + leaseMs } as Partial<T>, withLease(held));

/**
 * Ends the work with its result and releases the item. RaceLost when another worker has claimed it since.
 * @example await finish(jobs, held, { signedKey }, { also: [announcement] });
 */
export const finish = <T extends Leased, Id>(
  items: Collection<T, Id>,
  held: Stored<T>,
  result: Partial<T>,
  along: Along = {},
): Promise<Stored<T>> => items.change(held, { ...result, ...released }, { ...along, ...withLease(held) });
