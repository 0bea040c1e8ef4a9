import type { Stored } from '../../../../shared/store/collection.ts';
import { containsText } from '../../../../shared/store/lists/contains-text.ts';
import type { ListedEntry } from '../../../../shared/store/lists/entries.ts';
import type { Numbered, Range } from '../../../../shared/store/lists/numbered-list.ts';
import { searchList, TooManyEntries, walkRange } from '../../../../shared/store/lists/search.ts';
import { readSlots } from './engine/slots.ts';
import { type Job, type JobSource, jobs } from './job/job.ts';
import { type JobFacts, jobList, type ListedState, readFacts } from './job/list.ts';
import { isInFlight, type JobState } from './job/states.ts';

/** Whether a job matches; undefined where its known fields do not tell. */
export type JobRule = (fields: JobFacts) => boolean | undefined;

/** Which jobs are looked for. An index answers states, profile and times; rules read every entry of the range. */
export type JobSearch = Range & {
  /** All of them in flight, or none. Every state where it is left out. */
  readonly states?: readonly JobState[] | undefined;
  /** By its exact name. */
  readonly profile?: string | undefined;
  readonly rules?: readonly JobRule[] | undefined;
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

/** All rules as one question. One that is known not to hold decides, whatever the others are. */
function combine(rules: readonly JobRule[]): JobRule {
  return (fields) => {
    const answers = rules.map((rule) => rule(fields));
    if (answers.includes(false)) return false;
    return answers.includes(undefined) ? undefined : true;
  };
}

/**
 * A page of the jobs that match, newest first, and how many match. Refused with TooManyEntries where rules would have to
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

/** The list with the entries of a search, and the rules to judge them by. Only the list of all jobs has facts. */
function listOf({ states, profile, rules = [] }: JobSearch) {
  const state = states && { state: states as readonly ListedState[] };
  return rules.length === 0
    ? { list: jobList({ ...state, ...(profile !== undefined && { profile }) }), matches: undefined }
    : {
        list: jobList(state),
        matches: combine([...rules, ...(profile === undefined ? [] : [hasProfile(profile)])]),
      };
}

async function findIds(search: JobSearch, paging: Paging, maxEntries: number): Promise<Numbered> {
  const { list, matches } = listOf(search);
  const { fromMs, untilMs } = search;
  const range = { ...paging, fromMs, untilMs };
  if (!matches) return list.page(range);
  const entryMatches = (entry: ListedEntry): boolean | undefined => matches(readFacts(entry));
  const readMatching = async (ids: readonly string[]): Promise<readonly string[]> =>
    (await jobs.getMany(ids)).filter((job) => matches(job) === true).map(({ id }) => id);
  return searchList({ list, entryMatches, readMatching }, { ...range, maxEntries });
}

/**
 * The newest jobs that match, at most `limit`, read a part at a time. Whether they are too many to search is checked
 * before the first is read.
 */
export async function walkMatching(
  search: JobSearch,
  limit: number,
  maxSearched = MAX_SEARCHED,
): Promise<AsyncIterable<Stored<Job>>> {
  if (search.states?.some(isInFlight)) return toIterable((await findInFlight(search)).slice(0, limit));
  const { list, matches } = listOf(search);
  if (matches) {
    const { fromMs, untilMs } = search;
    const { total } = await list.slice({ offset: 0, limit: 0, fromMs, untilMs });
    if (total > maxSearched) throw new TooManyEntries(`${total} entries are more than ${maxSearched}.`);
  }
  return walkListed(search, limit);
}

async function* toIterable(found: readonly Stored<Job>[]): AsyncGenerator<Stored<Job>> {
  yield* found;
}

async function* walkListed(search: JobSearch, limit: number): AsyncGenerator<Stored<Job>> {
  const { list, matches } = listOf(search);
  let left = limit;
  for await (const entries of walkRange(list, search)) {
    const likely = matches ? entries.filter((entry) => matches(readFacts(entry)) !== false) : entries;
    const ids = (matches ? likely : likely.slice(0, left)).map(({ id }) => id);
    const found = (await readListed(ids, search)).filter((job) => !matches || matches(job) === true);
    yield* found.slice(0, left);
    left -= matches ? found.length : likely.length;
    if (left <= 0) return;
  }
}

/** The jobs of entries. One that has moved on since its entry was read is not of those states any more. */
async function readListed(ids: readonly string[], { states }: JobSearch): Promise<Stored<Job>[]> {
  const found = await jobs.getMany(ids);
  return states ? found.filter(({ state }) => states.includes(state)) : found;
}

const findInFlight = async (search: JobSearch): Promise<Stored<Job>[]> =>
  (await readJobsInFlight()).filter(isMatch(search));

/** Whether a job as it is now is one that is looked for. */
export const isMatch = (search: JobSearch): ((job: Job) => boolean) => {
  const { states, profile, rules = [] } = search;
  const { fromMs = Number.NEGATIVE_INFINITY, untilMs = Number.POSITIVE_INFINITY } = search;
  const matches = combine(rules);
  return (job) =>
    (states?.includes(job.state) ?? true) &&
    (profile === undefined || job.profileName === profile) &&
    job.createdAtMs >= fromMs &&
    job.createdAtMs < untilMs &&
    matches(job) === true;
};

/** The jobs that workers have, newest first. They are few: a slot has one. */
async function readJobsInFlight(): Promise<Stored<Job>[]> {
  const slots = await readSlots();
  const found = await jobs.getMany(slots.map(({ jobId }) => jobId));
  return found.filter(({ state }) => isInFlight(state)).toSorted((a, b) => b.createdAtMs - a.createdAtMs);
}
