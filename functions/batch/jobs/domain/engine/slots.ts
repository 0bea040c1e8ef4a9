import { processWide } from '../../../../../shared/async/process-wide.ts';
import { isLocal } from '../../../../../shared/settings/names.ts';
import { collection, type Stored } from '../../../../../shared/store/collection.ts';
import { whileRenewed } from '../../../../../shared/store/lease.ts';
import { readPartition } from '../../../../../shared/store/partition.ts';
import { AlreadyExists } from '../../../../../shared/store/refusals.ts';
import { instanceName } from '../../../config/instance-name.ts';
import { settings } from '../../../settings.ts';
import type { Job, JobFormat } from '../job/job.ts';

// A job in flight has a slot of its instance. There are Pipeline:MaxConcurrency of them for the queue, each an item, and a claim
// creates one in its transaction: so many jobs are in flight at most, however many functions run. A worker begins with the slot
// that its process gave back last, which is free as a rule, and reads the slots only where it is not:
//
//   worker 1  |--job: Processing + slot 0--|
//   worker 2     |--job: Processing + slot 0: refused, nothing is written--|--reads: slot 1 is free--|--job: Processing + slot 1--|
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
    pk: partitionOf(number),
    sk: `${instance}#${String(number).padStart(2, '0')}`,
  }),
});

/** Longer than any pause of a living worker, shorter than anybody waits for a job that is lost. */
const LEASE_MS = 120_000;

// A job writes its slot twice, and a partition takes some 500 writes of transactions a second.
const PARTITIONS = 2;
const partitionOf = (number: number): string => `SLOTS#${number % PARTITIONS}`;

/** The slots of every instance that are taken. */
export async function readSlots(): Promise<Stored<Slot>[]> {
  const partitions = Array.from({ length: PARTITIONS }, (_, n) => readPartition('batch', partitionOf(n)));
  return (await Promise.all(partitions)).flat().map(slots.read);
}

/** Jobs from the queue, and those that come back from the external service: they do not wait for the queue. */
export type SlotKind = 'queued' | 'returning';

const MAX_QUEUED = 32; // the most of Pipeline:MaxConcurrency
const RETURNING = 32;

function numbersOf(kind: SlotKind): number[] {
  const [first, count] =
    kind === 'queued' ? [0, settings['Pipeline:MaxConcurrency']] : [MAX_QUEUED, RETURNING];
  return Array.from({ length: count }, (_, n) => first + n);
}

/** The numbers of this instance's slots that are free, in random order. */
export function freeSlots(taken: readonly Slot[], kind: SlotKind): number[] {
  const instance = instanceName();
  const used = new Set(taken.filter((slot) => slot.instance === instance).map(({ number }) => number));
  return shuffle(numbersOf(kind).filter((number) => !used.has(number)));
}

/** The same in random order, so that workers that choose at once seldom choose the same. */
export const shuffle = <T>(items: readonly T[]): T[] =>
  items
    .map((item) => ({ item, order: Math.random() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ item }) => item);

const givenBack = processWide(
  'batch.slots-given-back',
  (): Record<SlotKind, number[]> => ({
    queued: [],
    returning: [],
  }),
);

/** Says that a slot of this process is free again, so that it is tried first. */
export const giveBack = (number: number): void => {
  givenBack[number < MAX_QUEUED ? 'queued' : 'returning'].push(number);
};

/**
 * Calls `take` with the number of a slot until one is not refused with AlreadyExists. Undefined when all are taken.
 * @example await withSlot('queued', (number) => commit([...writes, takingSlot({ ...request, number }, nowMs)]));
 */
export async function withSlot<T>(
  kind: SlotKind,
  take: (number: number) => Promise<T>,
): Promise<T | undefined> {
  for await (const number of likelyFree(kind)) {
    try {
      return await take(number);
    } catch (error) {
      // Another worker took the slot first.
      if (!(error instanceof AlreadyExists)) throw error;
    }
  }
  return undefined;
}

async function* likelyFree(kind: SlotKind): AsyncGenerator<number> {
  const last = givenBack[kind].pop();
  const all = numbersOf(kind);
  const likely =
    last !== undefined && all.includes(last) ? last : all[Math.floor(Math.random() * all.length)];
  if (likely !== undefined) yield likely;
  yield* freeSlots(await readSlots(), kind).filter((number) => number !== likely);
}

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
