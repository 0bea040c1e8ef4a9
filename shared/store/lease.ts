import { renewRegularly } from '../async/renew-regularly.ts';
import { ifThrown } from '../errors/expected.ts';
import type { Along, Collection, Expectation, Stored } from './collection.ts';
import { commit } from './commit.ts';
import { AlreadyExists, RaceLost } from './refusals.ts';

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
export const withLease = <T extends Leased>(held: Stored<T>, when: Partial<T> = {}): Expectation<T> => ({
  when: { ...when, fence: held.fence },
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
  patch: Partial<T> = {},
): Promise<Stored<T> | undefined> {
  if (isHeld(current, (time.now ?? Date.now)())) return undefined;
  return items.change(current, { ...patch, ...claiming(current, time) });
}

/** An item that this worker holds. */
export type Lease<T> = {
  /** Ends the renewals, for a last write of the worker's own. Answers the item as this worker wrote it last. */
  stop(): Promise<Stored<T>>;
  /**
   * Releases the item with the result of the work, and with further writes of the same commit. Nothing is written when
   * the lease is lost: another worker has claimed the item since.
   */
  finish(result: Partial<T>, along?: Along): Promise<'finished' | 'lost'>;
};

/**
 * Works on an item while this worker alone holds it; an item without a version is created by the claim. Answers 'held',
 * without any work, while another worker holds it. The lease is renewed until the work ends. Work that throws, or does
 * not finish its lease, leaves it to end by itself, as a killed worker does.
 * @example const outcome = await whileLeased(mails, mail, { leaseMs: 60_000, now }, async (lease) => {
 *            await send(mail);
 *            return lease.finish({ state: 'sent' });
 *          });
 */
export async function whileLeased<T extends Leased, Id, Result>(
  items: Collection<T, Id>,
  current: T | Stored<T>,
  { patch = {}, ...time }: LeaseTime & { /** Written with the claim. */ readonly patch?: Partial<T> },
  work: (lease: Lease<T>) => Promise<Result>,
): Promise<Result | 'held'> {
  let held: Stored<T> | undefined;
  try {
    held = await ('version' in current
      ? claim(items, current, time, patch)
      : items.create({ ...current, ...patch, ...claiming({}, time) }));
  } catch (error) {
    if (!(error instanceof RaceLost || error instanceof AlreadyExists)) throw error;
  }
  return held ? whileRenewed(items, held, time, work) : 'held';
}

// Two renewals in a row may fail before the lease ends.
const RENEWALS_PER_LEASE = 3;

class LeaseLost extends RaceLost {}

/**
 * The same for an item that was claimed in another commit. `when` has further fields that only this worker's item has,
 * for items that are deleted and created again.
 * @example await whileRenewed(slots, slot, { leaseMs: 120_000, now, when: { jobId: slot.jobId } }, () => sign(job));
 */
export async function whileRenewed<T extends Leased, Id, Result>(
  items: Collection<T, Id>,
  claimed: Stored<T>,
  { leaseMs, now = Date.now, when }: LeaseTime & { readonly when?: Partial<T> },
  work: (lease: Lease<T>) => Promise<Result>,
): Promise<Result> {
  let held = claimed;
  const stop = renewRegularly(leaseMs / RENEWALS_PER_LEASE, async () => {
    const renewed = { leaseEndsAtMs: now() + leaseMs } as Partial<T>;
    held = await items.change(held, renewed, withLease(held, when));
  });
  const lease: Lease<T> = {
    async stop() {
      await stop();
      return held;
    },
    async finish(result, { also = [] } = {}) {
      await stop();
      const last = items.changing(held, { ...result, ...released }, withLease(held, when));
      return commit([{ ...last, refusal: () => new LeaseLost() }, ...also]).then(
        () => 'finished',
        ifThrown(LeaseLost, 'lost'),
      );
    },
  };
  try {
    return await work(lease);
  } finally {
    await stop();
  }
}
