import { containsText } from '../../../shared/store/lists/contains-text.ts';
import { TooManyEntries } from '../../../shared/store/lists/search.ts';
import { jobsAsOf } from '../../batch/jobs/domain/job/as-of.ts';
import type { JobFormat } from '../../batch/jobs/domain/job/job.ts';
import { type JobRule, MAX_SEARCHED, searchJobs } from '../../batch/jobs/domain/search-jobs.ts';
import { errors } from '../errors.ts';
import { type CompactSource, type CompactStatus, renderCompactJob, sourceOf, statesOf } from './job-view.ts';

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

/** A page of jobs, newest first, and how many there are. `maxSearched` is a parameter for tests. */
export async function listCompactJobs(request: JobsRequest, nowMs: number, maxSearched = MAX_SEARCHED) {
  const { page, pageSize, status, fromMs, untilMs } = request;
  const search = { states: status && statesOf(status), rules: rulesOf(request), fromMs, untilMs };
  try {
    const { items, totalCount: total } = await searchJobs(search, { page, pageSize }, maxSearched);
    const shown = jobsAsOf(items, search.states, nowMs);
    return { total, page, pageSize, items: shown.map(renderCompactJob) };
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

function rulesOf(filters: Filters): readonly JobRule[] {
  const { source, signatureFormat, encryptionEnabled, filenameContains, externalReferenceContains } = filters;
  const contains = (part: string, text: string | null): boolean => containsText(part, [text]);
  const rules: JobRule[] = [];
  if (source) rules.push((job) => job.source && sourceOf(job.source) === source);
  if (signatureFormat) rules.push((job) => job.format && job.format === signatureFormat);
  if (encryptionEnabled !== undefined)
    rules.push(({ encryptionEnabled: is }) => (is === undefined ? undefined : is === encryptionEnabled));
  if (filenameContains !== undefined)
    rules.push(({ fileName }) => (fileName === undefined ? undefined : contains(filenameContains, fileName)));
  if (externalReferenceContains !== undefined)
    rules.push(({ externalReference: text }) =>
      text === undefined ? undefined : contains(externalReferenceContains, text),
    );
  return rules;
}
