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
};
export type JobPage = { readonly items: readonly Stored<Job>[]; readonly totalCount: number };

/**
 * A page of jobs, newest first. Its cost does not depend on its number, unless a source or a text is searched for.
 * `maxSearched` is a parameter for tests.
 */
export async function listJobs(
  filter: JobFilter,
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

/** The newest jobs, read a part at a time. Everything that is refused is so before the first is read. */
export async function walkJobs(
  filter: JobFilter,
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

async function requireSearch({ status, profile, source, text, ...range }: JobFilter): Promise<JobSearch> {
  return {
    states: status && [status],
    profile: profile === undefined ? undefined : await requireProfileName(profile),
    rules: [...(source ? [hasSource(source)] : []), ...(text === undefined ? [] : [hasText(text)])],
    fromMs: range.fromMs,
    untilMs: range.untilMs,
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

async function refuseTooMany<T>(maxSearched: number, find: () => Promise<T>): Promise<T> {
  try {
    return await find();
  } catch (error) {
    if (!(error instanceof TooManyEntries)) throw error;
    throw invalidFilter(
      'from',
      `source and text search at most ${maxSearched} jobs: narrow the range with from and to`,
    );
  }
}

const invalidFilter = (field: string, message: string) =>
  errors.refuse('validation.filter-invalid', { field, reason: message }, { fields: [{ field, message }] });
