import type { Stored } from '../../../../shared/store/collection.ts';
import { errors } from '../../errors.ts';
import { findProfile } from '../../profiles/domain/find-profile.ts';
import { type Job, jobs } from './job/job.ts';
import { jobList, type ListedState } from './job/list.ts';
import { readSlots } from './job/slots.ts';
import { isInFlight, type JobState } from './job/states.ts';

export type JobFilter = { readonly status?: JobState | undefined; readonly profile?: string | undefined };
export type JobPage = { readonly items: readonly Stored<Job>[]; readonly totalCount: number };

/** A page of jobs, newest first. Its cost does not depend on its number. */
export async function listJobs(
  filter: JobFilter,
  { page, pageSize }: { readonly page: number; readonly pageSize: number },
): Promise<JobPage> {
  const { status, profile } = await requireFilter(filter);
  if (status && isInFlight(status)) {
    const found = await jobsInFlight({ status, profile });
    return { items: found.slice((page - 1) * pageSize, page * pageSize), totalCount: found.length };
  }
  const { ids, total } = await listOf({ status, profile }).page({ page, pageSize });
  return { items: await readListed(ids, status), totalCount: total };
}

// A request reads 100 jobs; the entries of several requests are one walk.
const JOBS_PER_WALK = 500;

/** The newest jobs, at most `limit`, read a part at a time. The filter is checked before the first is read. */
export async function walkJobs(filter: JobFilter, limit: number): Promise<AsyncIterable<Stored<Job>>> {
  const known = await requireFilter(filter);
  return known.status && isInFlight(known.status)
    ? toIterable((await jobsInFlight(known)).slice(0, limit))
    : walkListed(known, limit);
}

async function* toIterable(found: readonly Stored<Job>[]): AsyncGenerator<Stored<Job>> {
  yield* found;
}

async function* walkListed(filter: JobFilter, limit: number): AsyncGenerator<Stored<Job>> {
  const list = listOf(filter);
  let after: string | undefined;
  for (let left = limit; left > 0; left -= JOBS_PER_WALK) {
    const entries = await list.walk({ limit: Math.min(left, JOBS_PER_WALK), after });
    const ids = entries.map(({ id }) => id);
    yield* await readListed(ids, filter.status);
    after = entries.at(-1)?.place;
    if (entries.length < JOBS_PER_WALK) return;
  }
}

/** A profile is known by its record, or by the jobs that it left when it was removed. */
async function requireFilter({ status, profile }: JobFilter): Promise<JobFilter> {
  if (profile === undefined) return { status };
  const name = profile.toLowerCase();
  const isKnown =
    (await findProfile(name)) ?? (await jobList({ profile: name }).walk({ limit: 1 })).length > 0;
  if (isKnown) return { status, profile: name };
  const message = 'is the name of no profile, and of none that has jobs';
  throw errors.refuse(
    'validation.filter-invalid',
    { field: 'profile', reason: message },
    { fields: [{ field: 'profile', message }] },
  );
}

const listOf = ({ status, profile }: JobFilter) =>
  jobList({
    ...(profile !== undefined && { profile }),
    ...(status && { state: status as ListedState }),
  });

/** The jobs of entries. One that has moved on since its entry was read is not of that status any more. */
async function readListed(ids: readonly string[], status: JobState | undefined): Promise<Stored<Job>[]> {
  const found = await jobs.getMany(ids);
  return status ? found.filter(({ state }) => state === status) : found;
}

const jobsInFlight = async ({ status, profile }: JobFilter): Promise<Stored<Job>[]> =>
  (await readJobsInFlight()).filter(
    (job) => job.state === status && (profile === undefined || job.profileName === profile),
  );

/** The jobs that workers have, newest first. They are few: a slot has one. */
export async function readJobsInFlight(): Promise<Stored<Job>[]> {
  const { slots } = await readSlots();
  const found = await jobs.getMany(slots.map(({ jobId }) => jobId));
  return found.filter(({ state }) => isInFlight(state)).toSorted((a, b) => b.createdAtMs - a.createdAtMs);
}
