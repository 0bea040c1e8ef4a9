import { forEachConcurrently } from '../../../../../../shared/async/for-each-concurrently.ts';
import { logger } from '../../../../../../shared/log/logger.ts';
import type { Stored } from '../../../../../../shared/store/collection.ts';
import { type Job, jobs, outputKey } from '../../../../jobs/domain/job/job.ts';
import { jobList } from '../../../../jobs/domain/job/list.ts';
import { OutputTaken, outputHolders, releasingOutput } from '../../../../jobs/domain/job/names.ts';
import { jobStates } from '../../../../jobs/domain/job/states.ts';
import { settings } from '../../../../settings.ts';
import { workFiles } from '../../../../storage/domain/stores.ts';
import type { Run } from '../run-record.ts';

const log = logger('batch').with({ task: 'clean-up' });

const LOOKS_AT_ONCE = 16;

/** Of jobs that have ended, the outputs that somebody has taken away, by job, and the jobs of which nobody knows. */
type Missing = { readonly names: ReadonlyMap<string, string>; readonly unknown: ReadonlySet<string> };

/** A reserved name without a file: the file was moved away. Retention itself frees the name of a file that it deletes. */
export async function findMissingOutputs(found: readonly Job[]): Promise<Missing> {
  const named = found.flatMap(({ id, outputName: name }) => (name === null ? [] : [{ id, name }]));
  const holders = await outputHolders(named.map(({ name }) => name));
  const reserved = named.filter(({ id, name }) => holders.get(name) === id);
  const names = new Map<string, string>();
  const unknown = new Set(reserved.map(({ id }) => id));
  try {
    const store = await workFiles();
    await forEachConcurrently(LOOKS_AT_ONCE, reserved, async ({ id, name }) => {
      if (!(await store.head(outputKey(name)))) names.set(id, name);
      unknown.delete(id);
    });
  } catch (error) {
    log.warn('Retention cannot tell which outputs are there.', { jobs: unknown.size, error });
  }
  return { names, unknown };
}

const JOBS_PER_PAGE = 100;
const NAMES_PER_COMMIT = 90;

// Jobs that stay longer than their outputs are looked at once: every run goes on where all jobs before had expired
// outputs. An unfinished or younger job stops that place, and is come back to.
//
//   jobs      old  old  waiting  old  young  young ...
//   run 1     seen seen stop     seen stop
//   run 2               seen     seen ...

/** Counts the outputs that are missing of jobs whose outputs are due, and frees their names. */
export async function releaseMissingOutputs(run: Run): Promise<boolean> {
  const { 'Retention:OutputDays': outputDays, 'Retention:JobDays': jobDays } = settings;
  const beforeMs = run.dueBefore(outputDays);
  // Jobs that are deleted by then are looked at when they are.
  if (beforeMs === undefined || (jobDays > 0 && jobDays <= outputDays)) return true;
  const list = jobList();
  const end = list.placeOf('', beforeMs);
  let searchedTo = run.record().searchedTo;
  const { cursor } = run.place();
  let isUnbroken = cursor === null || cursor === searchedTo;
  let after = cursor ?? searchedTo ?? undefined;
  do {
    if (!run.hasTime()) {
      await run.save({ cursor: after ?? null, searchedTo });
      return false;
    }
    const entries = await list.walk({ oldestFirst: true, limit: JOBS_PER_PAGE, after });
    const due = entries.filter(({ place }) => place < end);
    const found = await jobs.getMany(due.map(({ id }) => id));
    const byId = new Map(found.map((job) => [job.id, job]));
    const isExpired = (job: Job | undefined): boolean =>
      !job || (jobStates.isTerminal(job.state) && job.updatedAtMs < beforeMs);
    const unknown = await releaseMissing(found.filter(isExpired), run);
    for (const { id, place } of due) {
      isUnbroken &&= isExpired(byId.get(id)) && !unknown.has(id);
      if (isUnbroken) searchedTo = place;
    }
    after = due.length === JOBS_PER_PAGE ? due.at(-1)?.place : undefined;
  } while (after !== undefined);
  if (searchedTo !== run.record().searchedTo) await run.save({ searchedTo });
  return true;
}

async function releaseMissing(expired: readonly Stored<Job>[], run: Run): Promise<ReadonlySet<string>> {
  const { names, unknown } = await findMissingOutputs(expired);
  const missing = [...names];
  for (let from = 0; from < missing.length; from += NAMES_PER_COMMIT)
    await release(missing.slice(from, from + NAMES_PER_COMMIT), run);
  if (unknown.size > 0) await run.save({ add: { errors: unknown.size } });
  return unknown;
}

async function release(missing: readonly (readonly [string, string])[], run: Run): Promise<void> {
  const writes = missing.map(([id, name]) => releasingOutput(name, id));
  try {
    await run.save({ add: { filesMissing: missing.length } }, writes);
  } catch (error) {
    if (!(error instanceof OutputTaken) || missing.length === 1) {
      // Another was faster, and has counted it.
      if (error instanceof OutputTaken) return;
      throw error;
    }
    for (const one of missing) await release([one], run);
  }
}
