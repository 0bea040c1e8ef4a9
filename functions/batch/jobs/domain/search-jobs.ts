import type { Stored } from '../../../../shared/store/collection.ts';
import { containsText } from '../../../../shared/store/lists/contains-text.ts';
import type { ListedEntry } from '../../../../shared/store/lists/entries.ts';
import type { Numbered, NumberedList, Range } from '../../../../shared/store/lists/numbered-list.ts';
import { searchList, TooManyEntries, walkRange } from '../../../../shared/store/lists/search.ts';
import { readSlots } from './engine/slots.ts';
import { type Job, type JobSource, jobs } from './job/job.ts';
import {
  errorList,
  failedAtOf,
  failedList,
  isOpenFailure,
  type JobFacts,
  jobList,
  type ListedState,
  readFacts,
} from './job/list.ts';
import { isInFlight, type JobState } from './job/states.ts';

/** Whether a job matches; undefined where its known fields do not tell. */
export type JobRule = (fields: JobFacts) => boolean | undefined;

/**
 * Which jobs are looked for, and in which order. An index answers states with a profile, states with an error, and times;
 * rules read every entry of the range, and so do a profile with an error, or either with times of failure.
 */
export type JobSearch = Range & {
  /** All of them in flight, or none. Every state where it is left out. */
  readonly states?: readonly JobState[] | undefined;
  /** By its exact name. */
  readonly profile?: string | undefined;
  readonly rules?: readonly JobRule[] | undefined;
  /** The recorded code. */
  readonly error?: string | undefined;
  /** Failed jobs, in the order of their failures; in this range, and of those that can be retried, where it says so. */
  readonly failed?: (Range & { readonly isOpen?: boolean }) | undefined;
  readonly oldestFirst?: boolean | undefined;
};

type Paging = { readonly page: number; readonly pageSize: number };
type Found = { readonly items: readonly Stored<Job>[]; readonly totalCount: number };

// Every entry of the range is read to count the matches: 100,000 are some 50 MB.
export const MAX_SEARCHED = 100_000;

export const hasSource =
  (source: JobSource): JobRule =>
  (job) =>
    job.source && job.source === source;

/** A part of the file name, the id or the external reference, whatever its case and accents. */
export const hasText =
  (text: string): JobRule =>
  ({ id, fileName, externalReference }) => {
    const isKnown = id !== undefined && fileName !== undefined && externalReference !== undefined;
    const texts = [id, fileName, externalReference].map((each) => each ?? null);
    return containsText(text, texts) || (isKnown ? false : undefined);
  };

const hasProfile =
  (name: string): JobRule =>
  ({ profileName }) =>
    profileName === undefined ? undefined : profileName === name;

const hasError =
  (code: string): JobRule =>
  ({ errorCode }) =>
    errorCode === undefined ? undefined : errorCode === code;

const isInState =
  (states: readonly JobState[]): JobRule =>
  ({ state }) =>
    state === undefined ? undefined : states.includes(state);

const isCreatedIn =
  ({ fromMs = Number.NEGATIVE_INFINITY, untilMs = Number.POSITIVE_INFINITY }: Range): JobRule =>
  ({ createdAtMs: atMs }) =>
    atMs === undefined ? undefined : atMs >= fromMs && atMs < untilMs;

/** All rules as one question. One that is known not to hold decides, whatever the others are. */
function combine(rules: readonly JobRule[]): JobRule {
  return (fields) => {
    const answers = rules.map((rule) => rule(fields));
    if (answers.includes(false)) return false;
    return answers.includes(undefined) ? undefined : true;
  };
}

/**
 * A page of the jobs that match, in their order, and how many match. Refused with TooManyEntries where rules would have to
 * read more than `maxSearched` entries.
 */
export async function searchJobs(
  search: JobSearch,
  { page, pageSize }: Paging,
  maxSearched = MAX_SEARCHED,
): Promise<Found> {
  if (search.states?.some(isInFlight)) {
    const found = await findInFlight(search);
    return { items: found.slice((page - 1) * pageSize, page * pageSize), totalCount: found.length };
  }
  const { ids, total } = await findIds(search, { page, pageSize }, maxSearched);
  return { items: await readListed(ids, search), totalCount: total };
}

// Every other code fails its job.
const CODE_OF_OTHER_STATES = 'job.input-diverged';

/**
 * The list with the entries of a search, the range of it, and the rules to judge them by. The lists of profiles have no
 * facts.
 */
function planOf(search: JobSearch) {
  const { states, profile, error, failed, rules = [], fromMs, untilMs, oldestFirst = false } = search;
  const range = { fromMs, untilMs, oldestFirst };
  const state = states && { state: states as readonly ListedState[] };
  const ofProfile = profile === undefined ? [] : [hasProfile(profile)];
  const plan = (list: NumberedList, all: readonly JobRule[], within = range) => ({
    list,
    range: within,
    matches: all.length === 0 ? undefined : combine(all),
  });
  if (failed) {
    const ofError = error === undefined ? [] : [hasError(error)];
    const created = fromMs === undefined && untilMs === undefined ? [] : [isCreatedIn(search)];
    return plan(failedList(failed), [...rules, ...ofProfile, ...ofError, ...created], {
      fromMs: failed.fromMs,
      untilMs: failed.untilMs,
      oldestFirst,
    });
  }
  if (error !== undefined) {
    const isSure = !states || (error !== CODE_OF_OTHER_STATES && states.includes('Failed'));
    return plan(errorList(error), [...rules, ...ofProfile, ...(isSure ? [] : [isInState(states)])]);
  }
  if (rules.length > 0) return plan(jobList(state), [...rules, ...ofProfile]);
  return plan(jobList({ ...state, ...(profile !== undefined && { profile }) }), []);
}

async function findIds(search: JobSearch, paging: Paging, maxEntries: number): Promise<Numbered> {
  const { list, range, matches } = planOf(search);
  if (!matches) return list.page({ ...paging, ...range });
  const entryMatches = (entry: ListedEntry): boolean | undefined => matches(readFacts(entry));
  const readMatching = async (ids: readonly string[]): Promise<readonly string[]> =>
    (await jobs.getMany(ids)).filter((job) => matches(job) === true).map(({ id }) => id);
  return searchList({ list, entryMatches, readMatching }, { ...paging, ...range, maxEntries });
}

/**
 * The first jobs that match, at most `limit`, read a part at a time. Whether they are too many to search is checked
 * before the first is read.
 */
export async function walkMatching(
  search: JobSearch,
  limit: number,
  maxSearched = MAX_SEARCHED,
): Promise<AsyncIterable<Stored<Job>>> {
  if (search.states?.some(isInFlight)) return toIterable((await findInFlight(search)).slice(0, limit));
  const { list, range, matches } = planOf(search);
  if (matches) {
    const { total } = await list.slice({ offset: 0, limit: 0, ...range });
    if (total > maxSearched) throw new TooManyEntries(`${total} entries are more than ${maxSearched}.`);
  }
  return walkListed(search, limit);
}

async function* toIterable(found: readonly Stored<Job>[]): AsyncGenerator<Stored<Job>> {
  yield* found;
}

async function* walkListed(search: JobSearch, limit: number): AsyncGenerator<Stored<Job>> {
  const { list, range, matches } = planOf(search);
  let left = limit;
  for await (const entries of walkRange(list, range)) {
    const likely = matches ? entries.filter((entry) => matches(readFacts(entry)) !== false) : entries;
    const ids = (matches ? likely : likely.slice(0, left)).map(({ id }) => id);
    const found = (await readListed(ids, search)).filter((job) => !matches || matches(job) === true);
    yield* found.slice(0, left);
    left -= matches ? found.length : likely.length;
    if (left <= 0) return;
  }
}

/** An entry of a walk by parts: where the walk goes on, and the job, if it may match. It is to be read, and asked by `isMatch`. */
type WalkedEntry = { readonly place: string; readonly jobId: string | undefined };

/**
 * The next part of the jobs that match, oldest first, after the place that an earlier part has come to. Undefined at the
 * end. A place stays valid while jobs come and go.
 */
export async function walkPart(
  search: JobSearch,
  after: string | undefined,
  limit: number,
): Promise<readonly WalkedEntry[] | undefined> {
  const { list, range, matches } = planOf(search);
  const start = after ?? (range.fromMs === undefined ? undefined : list.placeOf('', range.fromMs));
  const end = range.untilMs === undefined ? undefined : list.placeOf('', range.untilMs);
  const entries = await list.walk({ after: start, oldestFirst: true, limit });
  const inRange = entries.filter(({ place }) => end === undefined || place < end);
  if (inRange.length === 0) return undefined;
  return inRange.map((entry) => ({
    place: entry.place,
    jobId: matches?.(readFacts(entry)) === false ? undefined : entry.id,
  }));
}

/** The jobs of entries. One that has moved on since its entry was read is not of those states any more. */
async function readListed(ids: readonly string[], { states }: JobSearch): Promise<Stored<Job>[]> {
  const found = await jobs.getMany(ids);
  return states ? found.filter(({ state }) => states.includes(state)) : found;
}

async function findInFlight(search: JobSearch): Promise<Stored<Job>[]> {
  const found = (await readJobsInFlight()).filter(isMatch(search));
  return search.oldestFirst ? found.toReversed() : found;
}

/** Whether a job as it is now is one that is looked for. */
export const isMatch = (search: JobSearch): ((job: Job) => boolean) => {
  const { states, profile, error, failed, rules = [] } = search;
  const matches = combine([...rules, isCreatedIn(search)]);
  return (job) =>
    (states?.includes(job.state) ?? true) &&
    (profile === undefined || job.profileName === profile) &&
    (error === undefined || job.errorCode === error) &&
    (failed === undefined || hasFailedIn(job, failed)) &&
    matches(job) === true;
};

function hasFailedIn(
  job: Job,
  { fromMs, untilMs, isOpen = false }: NonNullable<JobSearch['failed']>,
): boolean {
  const atMs = failedAtOf(job);
  if (atMs === undefined || (isOpen && !isOpenFailure(job))) return false;
  return (fromMs === undefined || atMs >= fromMs) && (untilMs === undefined || atMs < untilMs);
}

/** The jobs that workers have, newest first. They are few: a slot has one. */
async function readJobsInFlight(): Promise<Stored<Job>[]> {
  const slots = await readSlots();
  const found = await jobs.getMany(slots.map(({ jobId }) => jobId));
  return found.filter(({ state }) => isInFlight(state)).toSorted((a, b) => b.createdAtMs - a.createdAtMs);
}
