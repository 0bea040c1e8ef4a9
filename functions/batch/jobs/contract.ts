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
};

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
    page: ignored(),
    pageSize: ignored(),
    id: z
      .union([z.guid(), z.array(z.guid()).max(MAX_EXPORTED_IDS)])
      .optional()
      .describe(`Only this job. Repeat it for each of at most ${MAX_EXPORTED_IDS} jobs.`),
  })
  .refine(...rangeInOrder);

export const JobListQuery = z.object({ ...filters, ...paging }).refine(...rangeInOrder);

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
