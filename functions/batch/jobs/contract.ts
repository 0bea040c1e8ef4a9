import * as z from 'zod';
import { pageOf } from '../../../shared/http/page-of.ts';
import { mayBeEmpty } from '../../../shared/http/query.ts';
import { inAnyCase, paging, rangeInOrder, timeRange } from '../../../shared/http/request/list-query.ts';
import { MediaType } from '../../../shared/http/request/media-type.ts';
import { Reason } from './reason.ts';

const JobFormat = z.enum(['Pades', 'Cades', 'Xades']);
const JobSource = z.enum(['Upload', 'WatchedFolder', 'SignerFolder']);
export const JobStatus = z
  .enum([
    'Queued',
    'Processing',
    'Verifying',
    'Completed',
    'Failed',
    'Canceled',
    'AwaitingSigner',
    'AwaitingApproval',
  ])
  .meta({ description: 'The state of a job.', examples: ['Completed'] });

const job = {
  id: '6f1b3f64-2c1f-4a53-9a4e-0d2f5c8a7b10',
  fileName: 'report.pdf',
  originalPath: 'input/uploads/report.pdf',
  format: 'Pades' as const,
  source: 'Upload' as const,
  status: 'Completed' as const,
  createdAt: '2026-03-02T12:00:00.000Z',
  updatedAt: '2026-03-02T12:00:02.000Z',
  parentJobId: null,
  errorCode: null,
  errorMessage: null,
  profileName: 'default',
};

export const Job = z
  .object({
    id: z.uuid(),
    fileName: z.string(),
    originalPath: z.string().nullable().describe('Null for a document of the external signature service.'),
    format: JobFormat,
    source: JobSource,
    status: JobStatus,
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    parentJobId: z.uuid().nullable().describe('The failed job that this one retries.'),
    errorCode: z.string().nullable().describe('The recorded code of the error table.'),
    errorMessage: z.string().nullable().describe('Why it failed, or who or what canceled it.'),
    profileName: z.string(),
  })
  .meta({ description: 'A file on its way to its signature.', examples: [job] });

export const JobList = pageOf(Job).meta({
  description: 'A page of jobs, newest first.',
  examples: [{ items: [job], page: 1, pageSize: 50, totalCount: 1 }],
});

const Cnab240 = z
  .object({
    totalCentavos: z.union([z.int(), z.string()]),
    totalFormatted: z.string(),
    paymentCount: z.int(),
    cancellationCount: z.int(),
    earliestPaymentDate: z.iso.date().nullable(),
    latestPaymentDate: z.iso.date().nullable(),
    contentSha256: z.string(),
  })
  .describe('The figures of a payment remittance.');

const ApprovalSummary = z
  .object({
    required: z.int(),
    poolSize: z.int(),
    approved: z.int(),
    rejected: z.int(),
    outstanding: z.int().describe('Approvals that are still missing.'),
    quorumReached: z.boolean(),
    vetoed: z.boolean(),
    frozenAt: z.iso.datetime().describe('When rule, pool and content hash were frozen.'),
    parkedSince: z.iso.datetime(),
    expiresAt: z.iso.datetime().nullable(),
    expiresAfterSeconds: z.int().nullable(),
  })
  .describe('The approvals of a job that waits, or waited, for them.');

export const JobDetails = Job.extend({
  history: z.array(
    z.object({ id: z.int(), timestamp: z.iso.datetime(), status: JobStatus, message: z.string() }),
  ),
  inputSha256: z
    .string()
    .nullable()
    .describe('The hash of the file that was signed, in hexadecimal. Null until it is staged.'),
  cnab240: Cnab240.nullable(),
  approval: ApprovalSummary.nullable(),
}).meta({
  description: 'A job with its history.',
  examples: [
    {
      ...job,
      history: [
        { id: 1, timestamp: '2026-03-02T12:00:00.000Z', status: 'Queued', message: 'Uploaded.' },
        { id: 2, timestamp: '2026-03-02T12:00:01.000Z', status: 'Processing', message: 'Picked up by main.' },
        { id: 3, timestamp: '2026-03-02T12:00:01.500Z', status: 'Verifying', message: 'Signed.' },
        {
          id: 4,
          timestamp: '2026-03-02T12:00:02.000Z',
          status: 'Completed',
          message: 'Verified and released.',
        },
      ],
      inputSha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      cnab240: null,
      approval: null,
    },
  ],
});

export const UploadedFile = z
  .object({
    jobId: z.uuid(),
    fileName: z.string(),
    originalPath: z.string(),
    format: JobFormat,
    status: JobStatus,
  })
  .meta({
    description: 'The job of an uploaded file.',
    examples: [
      {
        jobId: job.id,
        fileName: job.fileName,
        originalPath: job.originalPath,
        format: job.format,
        status: 'Queued',
      },
    ],
  });

const joinRepeated = (given: unknown): unknown => (Array.isArray(given) ? given.join(', ') : given);

export const UploadQuery = z.object({
  // An empty format, and several, are formats that are not supported: the domain refuses them by that code.
  format: mayBeEmpty(z.preprocess(joinRepeated, z.string().optional()).describe('Pades, Cades or Xades.')),
  profile: z.string().optional().describe('The name of a profile, in any case.'),
});

/** A misspelt or misplaced field is refused: it must not leave the file to another profile. */
export const PresignFile = z
  .strictObject({
    name: z.string().describe('The name of the file.'),
    contentType: MediaType.describe('To be sent as the header Content-Type of the put.'),
    size: z.int().min(0).describe('Of the file in bytes. A put of any other size is refused.'),
  })
  .meta({
    description: 'The file that will be put to the address.',
    examples: [{ name: job.fileName, contentType: 'application/pdf', size: 48_213 }],
  });

export const PresignedFile = z
  .object({
    id: z.uuid().describe('The id of the job, which exists when the file has arrived.'),
    method: z.literal('PUT'),
    url: z.url(),
    headers: z.record(z.string(), z.string()).describe('To be sent with the put.'),
    expiresAt: z.iso.datetime(),
  })
  .meta({
    description: 'How to put the file, and the id that its job will have.',
    examples: [
      {
        id: job.id,
        method: 'PUT',
        url: `https://store.example/input/presigned/${job.id}/report.pdf?X-Amz-Expires=3600`,
        headers: { 'content-type': 'application/pdf' },
        expiresAt: '2026-03-02T13:00:00.000Z',
      },
    ],
  });

/** The form of an upload, for the contract document. */
export const FILE_FORM = {
  type: 'object',
  description: 'The file. Its part has a file name.',
  examples: [{ file: '(bytes of report.pdf)' }],
  required: ['file'],
  properties: { file: { type: 'string', format: 'binary', description: 'The file, with its name.' } },
} as const;

export const JobParams = z.object({
  id: z.string().meta({ description: 'The id of the job.', examples: [job.id] }),
});

// Longer texts are in no name.
const MAX_SEARCHED_CHARACTERS = 200;

const filters = {
  status: inAnyCase(JobStatus).optional().describe('The state of a job, in any case.'),
  profile: z.string().optional().describe('The name of a profile, in any case.'),
  source: inAnyCase(JobSource).optional().describe('Where the file came from, in any case.'),
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

const failuresInOrder: [(range: FailedRange) => boolean, { path: string[]; error: string }] = [
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

const BulkKind = z.enum(['retry', 'cancel', 'delete']);

/** A misspelt filter is refused: without it the action would take more jobs than were meant. */
export const StartBulk = z
  .strictObject({
    action: BulkKind.describe(
      'retry: failed jobs that nobody has retried. cancel: jobs that no worker has. delete: finished jobs.',
    ),
    filter: z
      .strictObject(filters)
      .refine(...rangeInOrder)
      .refine(...failuresInOrder)
      .describe('As of the list of jobs. An empty one takes every job that the action takes.'),
    reason: Reason.describe('Why jobs are canceled, for the record; at most 512 characters.'),
    preview: z.boolean().optional().describe('Whether the jobs are only counted: nothing is changed.'),
  })
  .meta({
    description: 'An action on all jobs of a filter.',
    examples: [
      {
        action: 'retry' as const,
        filter: { status: 'Failed' as const, error: 'job.certificate-invalid', profile: 'default' },
        reason: null,
        preview: false,
      },
    ],
  });

export const BulkPreview = z
  .object({ action: BulkKind, count: z.int().describe('The jobs that the action would take now.') })
  .meta({ description: 'How many jobs an action would take.', examples: [{ action: 'retry', count: 12 }] });

const bulk = {
  id: '20260302120000000-4f1c09ab',
  action: 'retry' as const,
  status: 'Running' as const,
  filter: {
    status: 'Failed' as const,
    profile: 'default',
    source: null,
    text: null,
    error: 'job.certificate-invalid',
    from: null,
    to: null,
    failedFrom: null,
    failedTo: null,
  },
  reason: null,
  by: 'operator',
  startedAt: '2026-03-02T12:00:00.000Z',
  endedAt: null,
  expected: 12,
  done: 9,
  skipped: 1,
  refused: [{ code: 'job.input-missing', count: 1 }],
};

export const Bulk = z
  .object({
    id: z.string(),
    action: BulkKind,
    status: z.enum(['Running', 'Done', 'Stopped']),
    filter: z.object({
      status: JobStatus.nullable(),
      profile: z.string().nullable(),
      source: JobSource.nullable(),
      text: z.string().nullable(),
      error: z.string().nullable(),
      from: z.iso.datetime().nullable(),
      to: z.iso.datetime().nullable(),
      failedFrom: z.iso.datetime().nullable(),
      failedTo: z.iso.datetime().nullable(),
    }),
    reason: z.string().nullable(),
    by: z.string().describe('Who started it.'),
    startedAt: z.iso.datetime().describe('Jobs that were created, or have failed, later are left alone.'),
    endedAt: z.iso.datetime().nullable(),
    expected: z.int().describe('The jobs that matched when it started.'),
    done: z.int(),
    skipped: z.int().describe('Jobs that no longer matched when their turn came.'),
    refused: z
      .array(z.object({ code: z.string(), count: z.int() }))
      .describe('Jobs whose action was refused, by the code of the error table.'),
  })
  .meta({ description: 'An action on many jobs, and how far it has come.', examples: [bulk] });

export const BulkList = z
  .object({ items: z.array(Bulk) })
  .meta({ description: 'The newest actions on many jobs, the newest first.', examples: [{ items: [bulk] }] });

export const BulkParams = z.object({
  id: z.string().meta({ description: 'The id of the action.', examples: [bulk.id] }),
});

export const ArchiveQuery = z.object({
  id: z
    .union([z.guid(), z.array(z.guid())])
    .optional()
    .describe('A completed job. Repeat it for each of at most 50 jobs.'),
});

export const CancelJob = z
  .object({
    reason: Reason,
  })
  .meta({ description: 'Why a job is canceled.', examples: [{ reason: 'The wrong file.' }] });

export const RetriedJob = z
  .object({
    newJobId: z.uuid(),
    parentJobId: z.uuid().describe('The failed job. It stays failed.'),
    status: JobStatus,
  })
  .meta({
    description: 'The job that signs the input of a failed one.',
    examples: [
      { newJobId: job.id, parentJobId: 'd2a1f0c4-6b1e-4a55-8f0e-3c9b7e5d2a18', status: 'Queued' as const },
    ],
  });

export const ClearedJobs = z
  .object({
    deleted: z.int().describe('The jobs that this call has deleted.'),
    skipped: z.int().describe('The jobs that stay: they are not finished.'),
    message: z.string(),
  })
  .meta({
    description: 'The result of clearing.',
    examples: [{ deleted: 120, skipped: 3, message: '120 jobs were deleted, 3 stay.' }],
  });
