import { isLocal } from '../../../../../shared/settings/names.ts';
import { collection, type Stored } from '../../../../../shared/store/collection.ts';
import type { Attributes } from '../../../../../shared/store/item.ts';
import { whileRenewed } from '../../../../../shared/store/lease.ts';
import { readPartition } from '../../../../../shared/store/partition.ts';
import { instanceName } from '../../../config/instance-name.ts';
import { settings } from '../../../settings.ts';
import type { Job, JobFormat } from '../job/job.ts';

// A job in flight has a slot of its instance. There are Pipeline:MaxConcurrency of them for the queue, each an item, and a claim
// creates one in its transaction: so many jobs are in flight at most, however many functions run.
//
//   worker 1  |--reads: slot 0 is free--|--job: Processing + slot 0--|
//   worker 2  |--reads: slot 0 is free-----|--job: Processing + slot 0: refused, nothing is written
//
// The slot is also the lease. A worker renews it while it works; when it ends without an answer, the lease does too.

/** A place for one job in flight, held by the worker that created it. */
export type Slot = {
  readonly instance: string;
  readonly number: number;
  readonly jobId: string;
  readonly format: JobFormat;
  readonly profileName: string;
  /** The fence of the job that it belongs to. */
  readonly fence: number;
  /** The start of the engine in which the worker runs. Empty where processes come and go. */
  readonly boot: string;
  readonly leaseEndsAtMs: number;
};

type SlotId = Pick<Slot, 'instance' | 'number'>;

/** A job that a worker has, and the slot that it takes. */
export type ClaimedJob = { readonly job: Stored<Job>; readonly slot: Stored<Slot> };

export const slots = collection<Slot, SlotId>({
  service: 'batch',
  name: 'slot',
  id: ({ instance, number }) => ({ instance, number }),
  key: ({ instance, number }) => ({
    pk: PIPELINE_PK,
    sk: `${SLOT_PREFIX}${instance}#${String(number).padStart(2, '0')}`,
  }),
});

/** Longer than any pause of a living worker, shorter than anybody waits for a job that is lost. */
const LEASE_MS = 120_000;

/** The partition of the slots. Beside them it has the flag of the pipeline and the instances, which are read with them. */
export const PIPELINE_PK = 'PIPELINE';

const SLOT_PREFIX = 'SLOT#';

/** The slots of every instance, and the other items of their partition, in one query. */
export async function readSlots(): Promise<{
  readonly slots: readonly Stored<Slot>[];
  readonly others: readonly Attributes[];
}> {
  const items = await readPartition('batch', PIPELINE_PK);
  const isSlot = ({ sk }: Attributes): boolean => sk?.S?.startsWith(SLOT_PREFIX) ?? false;
  return { slots: items.filter(isSlot).map(slots.read), others: items.filter((item) => !isSlot(item)) };
}

const usedNumbers = (taken: readonly Slot[]): ReadonlySet<number> => {
  const instance = instanceName();
  return new Set(taken.filter((slot) => slot.instance === instance).map(({ number }) => number));
};

/** The numbers of this instance's slots that are free, in random order. */
export function freeSlots(taken: readonly Slot[]): number[] {
  const used = usedNumbers(taken);
  const all = Array.from({ length: settings['Pipeline:MaxConcurrency'] }, (_, number) => number);
  return shuffle(all.filter((number) => !used.has(number)));
}

/** The numbers from here on are of jobs that come back from the external service. They do not wait for the queue. */
const FIRST_RETURNING = 32; // the most of Pipeline:MaxConcurrency
const RETURNING_SLOTS = 32;

/** The free numbers of this instance for such jobs, in random order. */
export function freeReturningSlots(taken: readonly Slot[]): number[] {
  const used = usedNumbers(taken);
  const all = Array.from({ length: RETURNING_SLOTS }, (_, n) => FIRST_RETURNING + n);
  return shuffle(all.filter((number) => !used.has(number)));
}

/** The same in random order, so that workers that choose at once seldom choose the same. */
export const shuffle = <T>(items: readonly T[]): T[] =>
  items
    .map((item) => ({ item, order: Math.random() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ item }) => item);

type SlotRequest = Pick<Slot, 'number' | 'jobId' | 'format' | 'profileName' | 'fence'>;

export const takingSlot = (request: SlotRequest, nowMs: number) =>
  slots.creating({
    ...request,
    instance: instanceName(),
    boot: settings['Pipeline:Boot'],
    leaseEndsAtMs: nowMs + LEASE_MS,
  });

/**
 * Whether the worker of a slot of this instance is gone: its lease has ended, or it ran in an earlier start of this
 * engine. On AWS the workers of two deployments run side by side, so there only the lease tells.
 */
export const isStranded = (slot: Slot, nowMs: number): boolean =>
  slot.leaseEndsAtMs <= nowMs || (isLocal() && slot.boot !== settings['Pipeline:Boot']);

/**
 * Frees a slot, in the commit that moves its job on. That commit is refused when another took the job, so a slot of the
 * same number that belongs to another job by now stays.
 */
export const releasingSlot = (slot: SlotId) => slots.removing(slot);

/**
 * Renews the lease of a slot while work goes on. The work ends by its fence when another took the job. A slot of the same
 * number may be of another job by then, with the same fence.
 */
export const whileSlotHeld = <T>(slot: Stored<Slot>, work: () => Promise<T>, now: () => number): Promise<T> =>
  whileRenewed(slots, slot, { leaseMs: LEASE_MS, now, when: { jobId: slot.jobId } }, work);
