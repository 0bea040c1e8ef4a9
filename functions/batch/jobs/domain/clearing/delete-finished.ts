import { clockFrom } from '../../../../../shared/async/clock.ts';
import { getBoth, type Stored } from '../../../../../shared/store/collection.ts';
import { commit, fitsOneCommit } from '../../../../../shared/store/commit.ts';
import { RaceLost } from '../../../../../shared/store/refusals.ts';
import { retryOnConflict } from '../../../../../shared/store/retry-on-conflict.ts';
import type { Write } from '../../../../../shared/store/write.ts';
import { deletingJob } from '../job/delete-job.ts';
import { type Job, jobs } from '../job/job.ts';
import { FINISHED, jobList } from '../job/list.ts';
import { settleFilesOf } from '../job/settle-files.ts';
import { findUnsettled } from '../job/tasks.ts';
import { type Clearing, clearings } from './clearing.ts';

// One request reads so many jobs.
const JOBS_PER_PAGE = 100;

/** The clearing as its last commit left it; undefined when another run has ended it. */
type Progress = Stored<Clearing> | undefined;

/**
 * Deletes the finished jobs of a clearing, oldest first, while `hasTime` answers true. It may be killed anywhere and run
 * again, also twice at once: a job and its count are one commit.
 */
export async function deleteFinished(
  clearing: Stored<Clearing>,
  hasTime: (deleted: number) => boolean,
  nowMs: number,
): Promise<{ readonly clearing: Progress; readonly isDone: boolean }> {
  const now = clockFrom(nowMs);
  let progress: Progress = clearing;
  for await (const page of finishedBefore(clearing.beforeMs)) {
    const settled = await settle(page, now);
    for (const group of groupsOf(settled)) {
      if (!progress) return { clearing: undefined, isDone: true };
      if (!hasTime(progress.deleted - clearing.deleted)) return { clearing: progress, isDone: false };
      progress = await deleteTogether(progress, group);
    }
  }
  return { clearing: progress, isDone: true };
}

async function* finishedBefore(beforeMs: number): AsyncGenerator<readonly Stored<Job>[]> {
  const list = jobList({ state: FINISHED });
  const end = list.placeOf('', beforeMs);
  let after: string | undefined;
  do {
    const entries = await list.walk({ oldestFirst: true, limit: JOBS_PER_PAGE, after });
    const due = entries.filter(({ place }) => place < end);
    if (due.length > 0) yield await jobs.getMany(due.map(({ id }) => id));
    after = due.length === JOBS_PER_PAGE ? due.at(-1)?.place : undefined;
  } while (after !== undefined);
}

// The files of a job that has just ended may not be in their places yet, and settling them needs the job:
//
//   worker  |--Completed + outbox entry-- killed
//   clear                                   |--settles the files, removes the entry--|--deletes the job--|
//
// An entry is only written in the commit that ends a job, so a finished job without one has none later.

/** The jobs whose files are in their places, which may mean to put them there. */
async function settle(page: readonly Stored<Job>[], now: () => number): Promise<readonly Stored<Job>[]> {
  const unsettled = await findUnsettled(page.map(({ id }) => id));
  if (unsettled.size === 0) return page;
  const staying = new Set<string>();
  for (const id of unsettled) {
    // A job whose files cannot be moved now stays, and so does its outbox entry: the sweeper tries it again and logs why.
    const outcome = await settleFilesOf(id, now()).catch(() => 'failed' as const);
    if (outcome !== 'settled') staying.add(id);
  }
  return jobs.getMany(page.map(({ id }) => id).filter((id) => !staying.has(id)));
}

type Group = { readonly jobs: Stored<Job>[]; readonly writes: Write[] };

/** The jobs in groups, each of which one transaction can delete. */
function groupsOf(found: readonly Stored<Job>[]): Group[] {
  const groups: Group[] = [];
  for (const job of found) {
    const group = groups.at(-1);
    const writes = deletingJob(job);
    if (group && fits([...group.writes, ...writes])) {
      group.jobs.push(job);
      group.writes.push(...writes);
    } else groups.push({ jobs: [job], writes });
  }
  return groups;
}

// The count of the clearing is one more item of the commit.
const fits = (writes: readonly Write[]): boolean =>
  fitsOneCommit([...writes, clearings.removing('')]) && !hasRepeatedItem(writes);

/** Two jobs may carry one name, and a transaction changes an item once. */
function hasRepeatedItem(writes: readonly Write[]): boolean {
  const names = writes.flatMap((write) => ('item' in write ? (write.item.Update?.Key?.pk?.S ?? []) : []));
  return new Set(names).size < names.length;
}

const deletingCounted = (clearing: Stored<Clearing>, { jobs: { length }, writes }: Group) => {
  const counted = clearings.changing(clearing, { deleted: clearing.deleted + length });
  return { after: counted.after, writes: [counted, ...writes] };
};

async function deleteTogether(clearing: Stored<Clearing>, group: Group): Promise<Progress> {
  try {
    const { after, writes } = deletingCounted(clearing, group);
    await commit(writes);
    return after;
  } catch (error) {
    if (!(error instanceof RaceLost)) throw error;
  }
  // A job has changed, or another run of this clearing, or another clearing, was faster.
  let progress: Progress = clearing;
  for (const { id } of group.jobs) progress = await deleteAlone(clearing.id, id);
  return progress;
}

const deleteAlone = (clearingId: string, jobId: string): Promise<Progress> =>
  retryOnConflict(async () => {
    const [clearing, job] = await getBoth([clearings, clearingId] as const, [jobs, jobId] as const);
    if (!clearing || !job) return clearing;
    const { after, writes } = deletingCounted(clearing, { jobs: [job], writes: deletingJob(job) });
    await commit(writes);
    return after;
  });
