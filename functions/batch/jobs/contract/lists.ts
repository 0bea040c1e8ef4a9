import * as z from 'zod';
import { pageOf } from '../../../../shared/http/page-of.ts';
import { mayBeEmpty } from '../../../../shared/http/query.ts';
import { inAnyCase, paging, rangeInOrder, timeRange } from '../../../../shared/http/request/list-query.ts';
import { Job, JobStatus, job } from './job.ts';

export const JobList = pageOf(Job).meta({
  description: 'A page of jobs, newest first.',
  examples: [{ items: [job], page: 1, pageSize: 50, totalCount: 1 }],
});

// Longer texts are in no name.
const MAX_SEARCHED_CHARACTERS = 200;

export const filters = {
  status: inAnyCase(JobStatus).optional().describe('The state of a job, in any case.'),
  profile: z.string().optional().describe('The name of a profile, in any case.'),
  source: inAnyCase(Job.shape.source).optional().describe('Where the file came from, in any case.'),
  text: z
    .string()
    .max(MAX_SEARCHED_CHARACTERS)
    .optional()
    .describe('A part of the file name, the id or the external reference, whatever its case and accents.'),
  ...timeRange,
  error: z
    .string()
    .max(MAX_SEARCHED_CHARACTERS)
    .optional()
    .describe('The recorded code of the error table, such as job.signing-failed.'),
  failedFrom: timeRange.from.describe('Failed jobs that failed not before this time, or day in UTC.'),
  failedTo: timeRange.to.describe('Failed jobs that failed not after this time, or day in UTC.'),
};

const sort = inAnyCase(z.enum(['newest', 'oldest', 'lastFailed', 'firstFailed']))
  .optional()
  .describe(
    'By creation: `newest` first, which is the default, or `oldest`. Failed jobs by their failure: `lastFailed` or `firstFailed` first; so they are with failedFrom or failedTo too.',
  );

type FailedRange = { readonly failedFrom?: number | undefined; readonly failedTo?: number | undefined };

export const failuresInOrder: [(range: FailedRange) => boolean, { path: string[]; error: string }] = [
  ({ failedFrom, failedTo }) => failedFrom === undefined || failedTo === undefined || failedFrom < failedTo,
  { path: ['failedTo'], error: 'is before failedFrom' },
];

type Filters = z.output<z.ZodObject<typeof filters>>;

/** The filters of a request as the domain takes them. */
export const filterOf = ({
  from,
  to,
  failedFrom,
  failedTo,
  status,
  profile,
  source,
  text,
  error,
}: Filters) => ({
  status,
  profile,
  source,
  text,
  error,
  fromMs: from,
  untilMs: to,
  failedFromMs: failedFrom,
  failedUntilMs: failedTo,
});

// As many as a list has on its longest page.
const MAX_EXPORTED_IDS = 200;

// For whoever hands the query of a list on. A workbook has no pages.
const ignored = () =>
  mayBeEmpty(
    z
      .union([z.string(), z.array(z.string())])
      .optional()
      .describe('Of the list. Ignored here.'),
  );

export const ExportQuery = z
  .object({
    ...filters,
    sort,
    page: ignored(),
    pageSize: ignored(),
    id: z
      .union([z.guid(), z.array(z.guid()).max(MAX_EXPORTED_IDS)])
      .optional()
      .describe(`Only this job. Repeat it for each of at most ${MAX_EXPORTED_IDS} jobs.`),
  })
  .refine(...rangeInOrder)
  .refine(...failuresInOrder);

export const JobListQuery = z
  .object({ ...filters, sort, ...paging })
  .refine(...rangeInOrder)
  .refine(...failuresInOrder);

export const ArchiveQuery = z.object({
  id: z
    .union([z.guid(), z.array(z.guid())])
    .optional()
    .describe('A completed job. Repeat it for each of at most 50 jobs.'),
});
