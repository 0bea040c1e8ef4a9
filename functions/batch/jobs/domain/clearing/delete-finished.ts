import { clockFrom } from '../../../../../shared/async/clock.ts';
import type { Stored, WriteOf } from '../../../../../shared/store/collection.ts';
import { commit, fitsOneCommit } from '../../../../../shared/store/commit.ts';
import { RaceLost } from '../../../../../shared/store/refusals.ts';
import { retryOnConflict } from '../../../../../shared/store/retry-on-conflict.ts';
import type { Write } from '../../../../../shared/store/write.ts';
import { settleFilesOf } from '../engine/settle-files.ts';
import { deletingJob } from '../job/deleting.ts';
import { type Job, jobs } from '../job/job.ts';
import { FINISHED, jobList } from '../job/list.ts';
import { findUnsettled } from '../job/tasks.ts';

// One request reads so many jobs.
const JOBS_PER_PAGE = 100;

/** Which jobs are deleted, and the record that counts them in the commits that delete. */
export type Deletion<Tally extends object> = {
  /** Jobs that were created at this time or later stay. */
  readonly beforeMs: number;
  /** Further conditions of a job. */
  readonly isDue?: (job: Job) => boolean;
  /** The place in the list of finished jobs after which to begin. */
  readonly after?: string | undefined;
  /**
   * Further writes for the deletion of these jobs, by id. One that is refused must be so with RaceLost. A job that is
   * left out is skipped.
   */
  readonly writesOf?: (found: readonly Stored<Job>[]) => Promise<ReadonlyMap<string, readonly Write[]>>;
  /** Whether uploads go with their jobs. */
  readonly withInputs?: boolean;
  /** The record as it is now; undefined when another run has ended it, or taken it over. */
  readonly read: () => Promise<Stored<Tally> | undefined>;
  readonly counting: (record: Stored<Tally>, deleted: readonly Job[]) => WriteOf<Tally>;
  /** Counts jobs that cannot be deleted, and the place that the run has come to. Without it an error ends the run. */
  readonly skipping?: (record: Stored<Tally>, skipped: number, place: string) => WriteOf<Tally>;
};

/** The record as its last commit left it; undefined when it is no longer this run's. */
type Progress<Tally> = Stored<Tally> | undefined;

/**
 * Deletes finished jobs, oldest first, while `hasTime` answers true. It may be killed anywhere and run again, also twice
 * at once: a job and its count are one commit.
 */
export async function deleteFinished<Tally extends object>(
  deletion: Deletion<Tally>,
  record: Stored<Tally>,
  hasTime: (deleted: number) => boolean,
  nowMs: number,
): Promise<{ readonly record: Progress<Tally>; readonly isDone: boolean }> {
  const now = clockFrom(nowMs);
  let progress: Progress<Tally> = record;
  let deleted = 0;
  for await (const { found, place } of finishedBefore(deletion)) {
    const { settled, unsettled } = await settle(found.filter(deletion.isDue ?? (() => true)), now);
    const { groups, refused } = await groupsOf(deletion, settled);
    let skipped = unsettled + refused;
    for (const group of groups) {
      if (!progress) return { record: undefined, isDone: true };
      if (!hasTime(deleted)) return { record: progress, isDone: false };
      const outcome: Outcome<Tally> = await deleteTogether(deletion, progress, group);
      progress = outcome.progress;
      deleted += group.jobs.length;
      skipped += outcome.skipped;
    }
    if (progress && skipped > 0 && deletion.skipping) {
      const write = deletion.skipping(progress, skipped, place);
      await commit([write]);
      progress = write.after;
    }
  }
  return { record: progress, isDone: true };
}

type Page = { readonly found: readonly Stored<Job>[]; readonly place: string };

async function* finishedBefore<Tally extends object>({
  beforeMs,
  after: start,
}: Deletion<Tally>): AsyncGenerator<Page> {
  const list = jobList({ state: FINISHED });
  const end = list.placeOf('', beforeMs);
  let after = start;
  do {
    const entries = await list.walk({ oldestFirst: true, limit: JOBS_PER_PAGE, after });
    const due = entries.filter(({ place }) => place < end);
    const place = due.at(-1)?.place;
    if (place !== undefined) yield { found: await jobs.getMany(due.map(({ id }) => id)), place };
    after = due.length === JOBS_PER_PAGE ? place : undefined;
  } while (after !== undefined);
}

// The files of a job that has just ended may not be in their places yet, and settling them needs the job:
//
//   worker  |--Completed + outbox entry-- killed
//   clear                                   |--settles the files, removes the entry--|--deletes the job--|
//
// An entry is only written in the commit that ends a job, so a finished job without one has none later.

/**
 * The jobs whose files are in their places, which may mean to put them there. One whose files cannot be moved now, or
 * whose input another process holds, stays, and so does its outbox entry: the sweeper tries it again and logs why.
 */
async function settle(
  page: readonly Stored<Job>[],
  now: () => number,
): Promise<{ readonly settled: readonly Stored<Job>[]; readonly unsettled: number }> {
  const unsettled = await findUnsettled(page.map(({ id }) => id));
  if (unsettled.size === 0) return { settled: page, unsettled: 0 };
  const staying = new Set<string>();
  for (const id of unsettled) {
    const outcome = await settleFilesOf(id, now()).catch(() => 'failed' as const);
    if (outcome !== 'settled') staying.add(id);
  }
  const ids = page.map(({ id }) => id).filter((id) => !staying.has(id));
  return { settled: await jobs.getMany(ids), unsettled: staying.size };
}

type Group = { readonly jobs: Stored<Job>[]; readonly writes: Write[] };

/** The jobs in groups, each of which one transaction can delete. */
async function groupsOf<Tally extends object>(
  deletion: Deletion<Tally>,
  found: readonly Stored<Job>[],
): Promise<{ readonly groups: readonly Group[]; readonly refused: number }> {
  const further = await deletion.writesOf?.(found);
  const ready = found.filter(({ id }) => !further || further.has(id));
  const groups: Group[] = [];
  for (const job of ready) {
    const group = groups.at(-1);
    const writes = [...deletingOf(deletion, job), ...(further?.get(job.id) ?? [])];
    if (group && fits([...group.writes, ...writes])) {
      group.jobs.push(job);
      group.writes.push(...writes);
    } else groups.push({ jobs: [job], writes });
  }
  return { groups, refused: found.length - ready.length };
}

const deletingOf = <Tally extends object>({ withInputs = false }: Deletion<Tally>, job: Stored<Job>) =>
  deletingJob(job, { withInput: withInputs });

// The record is one more item of the commit. Which one does not matter here.
const fits = (writes: readonly Write[]): boolean =>
  fitsOneCommit([...writes, jobs.removing('')]) && !hasRepeatedItem(writes);

/** Two jobs may carry one name, and a transaction changes an item once. */
function hasRepeatedItem(writes: readonly Write[]): boolean {
  const names = writes.flatMap((write) => ('item' in write ? (write.item.Update?.Key?.pk?.S ?? []) : []));
  return new Set(names).size < names.length;
}

type Outcome<Tally> = { readonly progress: Progress<Tally>; readonly skipped: number };

async function deleteTogether<Tally extends object>(
  deletion: Deletion<Tally>,
  record: Stored<Tally>,
  group: Group,
): Promise<Outcome<Tally>> {
  try {
    const counted = deletion.counting(record, group.jobs);
    await commit([counted, ...group.writes]);
    return { progress: counted.after, skipped: 0 };
  } catch (error) {
    if (!(error instanceof RaceLost) && !deletion.skipping) throw error;
  }
  // A job has changed, or another run, or another deletion, was faster.
  let progress: Progress<Tally> = record;
  let skipped = 0;
  for (const { id } of group.jobs) {
    try {
      progress = await deleteAlone(deletion, id);
    } catch (error) {
      if (!deletion.skipping) throw error;
      skipped += 1;
      progress = await deletion.read();
    }
  }
  return { progress, skipped };
}

const deleteAlone = <Tally extends object>(
  deletion: Deletion<Tally>,
  jobId: string,
): Promise<Progress<Tally>> =>
  retryOnConflict(async () => {
    const [record, job] = await Promise.all([deletion.read(), jobs.get(jobId)]);
    if (!record || !job) return record;
    const further = await deletion.writesOf?.([job]);
    if (further && !further.has(jobId)) throw new Error(`The job ${jobId} cannot be deleted now.`);
    const counted = deletion.counting(record, [job]);
    await commit([counted, ...deletingOf(deletion, job), ...(further?.get(jobId) ?? [])]);
    return counted.after;
  });
