import { collection, type Stored, type WriteOf } from '../../../../../shared/store/collection.ts';
import { commit } from '../../../../../shared/store/commit.ts';
import type { Write } from '../../../../../shared/store/write.ts';

/** The steps of a run, in their order. Files go before the jobs that name them. */
export const STEPS = [
  'outputs',
  'missingOutputs',
  'errorFiles',
  'jobs',
  'uploads',
  'presigned',
  'processing',
  'events',
] as const;
export type Step = (typeof STEPS)[number];

const NONE = {
  jobsDeleted: 0,
  outputFilesDeleted: 0,
  errorFilesDeleted: 0,
  operationalEventsDeleted: 0,
  /** Outputs that were not there any more when they, or their jobs, were due. */
  filesMissing: 0,
  /** Items that could not be handled. The next run tries them again. */
  errors: 0,
  /** Uploads that became no job, inputs of deleted jobs, and orphans of processing/. */
  leftoversDeleted: 0,
};
export type Counts = Readonly<typeof NONE>;
const COUNTED = Object.keys(NONE) as (keyof Counts)[];

export const combine = (one: Counts, other: Partial<Counts>, sign: 1 | -1 = 1): Counts =>
  Object.fromEntries(
    COUNTED.map((name) => [name, one[name] + sign * (other[name] ?? 0)]),
  ) as unknown as Counts;

/** A file about to be deleted. `jobId` is the job whose record names it, where that is to be forgotten with it. */
export type PendingFile = { readonly key: string; readonly etag: string; readonly jobId: string | null };

/** The one record of retention: the run under way, and how far runs have come. */
export type Cleanup = {
  readonly id: typeof CLEANUP_ID;
  /** The process that has the run. Null: none is under way. */
  readonly runner: string | null;
  /** The operator who asked for the run. Null: it is the nightly one. */
  readonly by: string | null;
  /** All ages of the run are counted from here. */
  readonly startedAtMs: number;
  readonly step: Step;
  /** Where the step goes on. */
  readonly cursor: string | null;
  readonly pending: readonly PendingFile[];
  readonly counts: Counts;
  /** No job before this place has an output that may be missing. */
  readonly searchedTo: string | null;
};

export const CLEANUP_ID = 'cleanup';

export const cleanups = collection<Cleanup, string>({
  service: 'batch',
  name: 'cleanup',
  id: ({ id }) => id,
  key: (id) => ({ pk: 'RETENTION', sk: id }),
});

/** A run from its first step. */
export const freshRun = (by: string | null, nowMs: number) =>
  ({ by, startedAtMs: nowMs, step: STEPS[0], cursor: null, pending: [], counts: NONE }) as const;

/** Another process has the run. */
export class TakenOver extends Error {
  override readonly name = 'TakenOver';

  constructor() {
    super('Another process goes on with the cleanup.');
  }
}

// A process that is out of time, or is killed, leaves the run to the next one, which takes it over with a name of its
// own. Each change expects the version that its process has left:
//
//   call     |--runner a--|--pending: 90 files--|--deletes them-- stalls ------------ counts them: TakenOver
//   worker                                            |--runner b--|--deletes the 90 again, counts them--| ...
//
// Files are pending before they are deleted, so that none is counted twice or not at all, and no name stays reserved
// for a file that is gone. The first process may still delete a file after the second has freed its name: by its
// entity tag, so that a new file of that name stays where the store compares tags.

type SaveOptions = {
  /** Added to the counts. */
  readonly add?: Partial<Counts>;
} & Partial<Pick<Cleanup, 'runner' | 'cursor' | 'pending' | 'searchedTo'>>;

const DAY_MS = 86_400_000;

export type Run = ReturnType<typeof runOf>;

/** The part of a run that one process does. */
export function runOf(taken: Stored<Cleanup>, hasTime: () => boolean) {
  let record = taken;
  let step = taken.step;
  const changing = ({ add = {}, ...patch }: SaveOptions, from = record): WriteOf<Cleanup> => {
    const isNewStep = from.step !== step;
    const counts = combine(from.counts, add);
    return cleanups.changing(from, {
      ...(isNewStep && { cursor: null, pending: [] }),
      step,
      ...patch,
      counts,
    });
  };
  return {
    hasTime,
    /** Where this step goes on, and the files that it was about to delete. */
    place: () => (record.step === step ? record : { cursor: null, pending: [] }),
    record: () => record,
    enter(next: Step): void {
      step = next;
    },
    /** Items of these many days are due when they are older than this. Undefined where they are kept forever. */
    dueBefore: (days: number): number | undefined =>
      days === 0 ? undefined : taken.startedAtMs - days * DAY_MS,
    changing,
    /** Takes a change over that was committed elsewhere. */
    changed(after: Stored<Cleanup> | undefined): void {
      if (!after) throw new TakenOver();
      record = after;
    },
    /** Writes the progress, together with what it tells of. */
    async save(options: SaveOptions, also: readonly Write[] = []): Promise<void> {
      const write = { ...changing(options), refusal: () => new TakenOver() };
      await commit([write, ...also]);
      record = write.after;
    },
    /** The counts of this process. */
    counts: (): Counts => combine(record.counts, taken.counts, -1),
  };
}
