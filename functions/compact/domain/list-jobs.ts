import { containsText } from '../../../shared/store/lists/contains-text.ts';
import type { ListedEntry } from '../../../shared/store/lists/entries.ts';
import type { Numbered } from '../../../shared/store/lists/numbered-list.ts';
import { searchList, TooManyEntries } from '../../../shared/store/lists/search.ts';
import { type Job, type JobFormat, jobs } from '../../batch/jobs/domain/job/job.ts';
import { type JobFacts, jobList, readFacts } from '../../batch/jobs/domain/job/list.ts';
import { readJobsInFlight } from '../../batch/jobs/domain/list-jobs.ts';
import { listProfiles } from '../../batch/profiles/domain/profile.ts';
import { errors } from '../errors.ts';
import {
  type CompactSource,
  type CompactStatus,
  type Encrypting,
  encryptingOf,
  isEncryptionEnabled,
  listedStatesOf,
  renderCompactJob,
  sourceOf,
  statusOf,
} from './job-view.ts';

/** What a job is filtered by, beside its status and time. */
type Filters = {
  readonly source?: CompactSource | undefined;
  readonly signatureFormat?: JobFormat | undefined;
  readonly encryptionEnabled?: boolean | undefined;
  readonly filenameContains?: string | undefined;
  readonly externalReferenceContains?: string | undefined;
};

export type JobsRequest = Filters & {
  readonly status?: CompactStatus | undefined;
  readonly fromMs?: number | undefined;
  readonly untilMs?: number | undefined;
  readonly page: number;
  readonly pageSize: number;
};

// Every entry of the range is read to count the matches: 100,000 are some 50 MB.
const MAX_SEARCHED = 100_000;

/** A page of jobs, newest first, and how many there are. `maxSearched` is a parameter for tests. */
export async function listCompactJobs(request: JobsRequest, maxSearched = MAX_SEARCHED) {
  const { page, pageSize, status } = request;
  const encrypting = encryptingOf(await listProfiles());
  const matches = matcherOf(request, encrypting);
  const { items, total } =
    status === 'Processing'
      ? await findInFlight(request, matches)
      : await findListed({ ...request, status }, matches, maxSearched);
  return { total, page, pageSize, items: items.map((job) => renderCompactJob(job, encrypting)) };
}

type Found = { readonly items: readonly Job[]; readonly total: number };

/** Whether a job matches; undefined where its known fields do not tell. */
type Matcher = (fields: JobFacts) => boolean | undefined;

async function findInFlight({ page, pageSize, ...request }: JobsRequest, matches: Matcher): Promise<Found> {
  const { fromMs = Number.NEGATIVE_INFINITY, untilMs = Number.POSITIVE_INFINITY } = request;
  const found = (await readJobsInFlight()).filter(
    (job) => job.createdAtMs >= fromMs && job.createdAtMs < untilMs && matches(job) === true,
  );
  return { items: found.slice((page - 1) * pageSize, page * pageSize), total: found.length };
}

type ListedRequest = JobsRequest & { readonly status?: Exclude<CompactStatus, 'Processing'> | undefined };

/** A job that has moved on since its entry was read is not of that status any more. */
async function findListed(request: ListedRequest, matches: Matcher, maxSearched: number): Promise<Found> {
  const { status } = request;
  const { ids, total } = await findIds(request, matches, maxSearched);
  const found = await jobs.getMany(ids);
  return { items: status ? found.filter(({ state }) => statusOf(state) === status) : found, total };
}

async function findIds(request: ListedRequest, matches: Matcher, maxSearched: number): Promise<Numbered> {
  const { status, page, pageSize, fromMs, untilMs } = request;
  const range = { page, pageSize, fromMs, untilMs };
  const list = jobList(status && { state: listedStatesOf(status) });
  if (matches({}) === true) return list.page(range);
  const entryMatches = (entry: ListedEntry): boolean | undefined => matches(readFacts(entry));
  const readMatching = async (ids: readonly string[]): Promise<readonly string[]> =>
    (await jobs.getMany(ids)).filter((job) => matches(job) === true).map(({ id }) => id);
  try {
    return await searchList({ list, entryMatches, readMatching }, { ...range, maxEntries: maxSearched });
  } catch (error) {
    throw error instanceof TooManyEntries ? tooWide(maxSearched) : error;
  }
}

function tooWide(maxSearched: number): Error {
  const message = `filters search at most ${maxSearched} jobs: narrow the range with createdFromUtc and createdToUtc`;
  const field = 'createdFromUtc';
  return errors.refuse(
    'validation.filter-invalid',
    { field, reason: message },
    { fields: [{ field, message }] },
  );
}

/** All filters as one question. One that is known not to hold decides, whatever the others are. */
function matcherOf(filters: Filters, encrypting: Encrypting): Matcher {
  const { source, signatureFormat, encryptionEnabled, filenameContains, externalReferenceContains } = filters;
  const contains = (part: string, text: string | null): boolean => containsText(part, [text]);
  const rules: Matcher[] = [];
  if (source) rules.push((job) => job.source && sourceOf(job.source) === source);
  if (signatureFormat) rules.push((job) => job.format && job.format === signatureFormat);
  if (encryptionEnabled !== undefined)
    rules.push(({ encryption, profileName }) =>
      encryption === undefined || profileName === undefined
        ? undefined
        : isEncryptionEnabled({ encryption, profileName }, encrypting) === encryptionEnabled,
    );
  if (filenameContains !== undefined)
    rules.push(({ fileName }) => (fileName === undefined ? undefined : contains(filenameContains, fileName)));
  if (externalReferenceContains !== undefined)
    rules.push(({ externalReference: text }) =>
      text === undefined ? undefined : contains(externalReferenceContains, text),
    );
  return (fields) => {
    const answers = rules.map((rule) => rule(fields));
    if (answers.includes(false)) return false;
    return answers.includes(undefined) ? undefined : true;
  };
}
