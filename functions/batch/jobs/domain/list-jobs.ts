import type { Stored } from '../../../../shared/store/collection.ts';
import { TooManyEntries } from '../../../../shared/store/lists/search.ts';
import { errors } from '../../errors.ts';
import { findProfile } from '../../profiles/domain/find-profile.ts';
import { type Job, type JobSource, jobs } from './job/job.ts';
import { jobList } from './job/list.ts';
import type { JobState } from './job/states.ts';
import {
  hasSource,
  hasText,
  isMatch,
  type JobSearch,
  MAX_SEARCHED,
  searchJobs,
  walkMatching,
} from './search-jobs.ts';

export type JobFilter = {
  readonly status?: JobState | undefined;
  /** The name of a profile, in any case. */
  readonly profile?: string | undefined;
  readonly source?: JobSource | undefined;
  /** A part of the file name, the id or the external reference. */
  readonly text?: string | undefined;
  /** When they were created: not before the first, and before the second. */
  readonly fromMs?: number | undefined;
  readonly untilMs?: number | undefined;
  /** A code of the error table. */
  readonly error?: string | undefined;
  /** When they failed. Only failed jobs have such a time. */
  readonly failedFromMs?: number | undefined;
  readonly failedUntilMs?: number | undefined;
};

/** By creation, or failed jobs by their failure. */
export const JOB_SORTS = ['newest', 'oldest', 'lastFailed', 'firstFailed'] as const;
export type JobSort = (typeof JOB_SORTS)[number];

export type SortedFilter = JobFilter & { readonly sort?: JobSort | undefined };

export type JobPage = { readonly items: readonly Stored<Job>[]; readonly totalCount: number };

/**
 * A page of jobs, newest first unless it is sorted otherwise. Its cost does not depend on its number, unless a source or
 * a text is searched for, or a profile with an error or with times of failure.
 * `maxSearched` is a parameter for tests.
 */
export async function listJobs(
  filter: SortedFilter,
  paging: { readonly page: number; readonly pageSize: number },
  maxSearched = MAX_SEARCHED,
): Promise<JobPage> {
  const search = await requireSearch(filter);
  return refuseTooMany(maxSearched, () => searchJobs(search, paging, maxSearched));
}

type WalkOptions = {
  /** Most jobs that are read. */
  readonly limit: number;
  /** Only these of them. Unknown ones are refused. */
  readonly ids?: readonly string[];
  readonly maxSearched?: number;
};

/** The first jobs of a list, read a part at a time. Everything that is refused is so before the first is read. */
export async function walkJobs(
  filter: SortedFilter,
  { limit, ids = [], maxSearched = MAX_SEARCHED }: WalkOptions,
): Promise<AsyncIterable<Stored<Job>>> {
  const search = await requireSearch(filter);
  if (ids.length > 0) return toIterable((await readSelected(ids)).filter(isMatch(search)).slice(0, limit));
  return refuseTooMany(maxSearched, () => walkMatching(search, limit, maxSearched));
}

async function* toIterable(found: readonly Stored<Job>[]): AsyncGenerator<Stored<Job>> {
  yield* found;
}

/** The jobs with these ids, newest first, or the refusal job.not-found with those that are missing. */
export async function readSelected(ids: readonly string[]): Promise<Stored<Job>[]> {
  const distinct = [...new Set(ids.map((id) => id.toLowerCase()))];
  const found = await jobs.getMany(distinct);
  requireAll(distinct, found);
  return found.toSorted((a, b) => b.createdAtMs - a.createdAtMs);
}

/** Refuses ids that no job has. */
export function requireAll(ids: readonly string[], found: readonly Job[]): void {
  const known = new Set(found.map(({ id }) => id));
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length > 0) throw errors.refuse('job.not-found', { jobs: unknown.join(', ') });
}

/** What a filter looks for. One that nothing can match, or that is not known, is refused. */
export async function requireSearch({ sort = 'newest', ...filter }: SortedFilter): Promise<JobSearch> {
  const { status, profile, source, text, error, failedFromMs, failedUntilMs, fromMs, untilMs } = filter;
  const isByFailure = sort === 'lastFailed' || sort === 'firstFailed';
  const failed = isByFailure || failedFromMs !== undefined || failedUntilMs !== undefined;
  if (failed && status !== undefined && status !== 'Failed')
    throw invalidFilter('status', 'is Failed, where jobs are asked for by their failure');
  if (error !== undefined && !Object.hasOwn(errors.rows, error))
    throw invalidFilter('error', 'is no code of the error table');
  return {
    states: failed ? ['Failed'] : status && [status],
    profile: profile === undefined ? undefined : await requireProfileName(profile),
    rules: [...(source ? [hasSource(source)] : []), ...(text === undefined ? [] : [hasText(text)])],
    fromMs,
    untilMs,
    error,
    failed: failed ? { fromMs: failedFromMs, untilMs: failedUntilMs } : undefined,
    oldestFirst: sort === 'oldest' || sort === 'firstFailed',
  };
}

/** A profile is known by its record, or by the jobs that it left when it was removed. */
async function requireProfileName(profile: string): Promise<string> {
  const name = profile.toLowerCase();
  const isKnown =
    (await findProfile(name)) ?? (await jobList({ profile: name }).walk({ limit: 1 })).length > 0;
  if (isKnown) return name;
  throw invalidFilter('profile', 'is the name of no profile, and of none that has jobs');
}

export async function refuseTooMany<T>(maxSearched: number, find: () => Promise<T>): Promise<T> {
  try {
    return await find();
  } catch (error) {
    if (!(error instanceof TooManyEntries)) throw error;
    throw invalidFilter(
      'from',
      `source and text, and a profile together with an error or a time of failure, search at most ${maxSearched} jobs: narrow the range`,
    );
  }
}

export const invalidFilter = (field: string, message: string) =>
  errors.refuse('validation.filter-invalid', { field, reason: message }, { fields: [{ field, message }] });
