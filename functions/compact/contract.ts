import * as z from 'zod';
import { inAnyCase, paging, rangeInOrder, timeRange } from '../../shared/http/request/list-query.ts';

export const Health = z
  .object({ healthy: z.literal(true), status: z.string() })
  .meta({ description: 'The service answers.', examples: [{ healthy: true, status: 'Healthy' }] });

export const Readiness = z
  .object({
    ready: z.boolean(),
    checks: z.array(z.object({ name: z.string(), ok: z.boolean() })),
  })
  .meta({
    description: 'Whether the service can work, by check.',
    examples: [
      {
        ready: true,
        checks: [
          { name: 'database', ok: true },
          { name: 'folder-write:output', ok: true },
          { name: 'signing-certificate', ok: true },
        ],
      },
    ],
  });

export const JOB_STATUSES = ['Pending', 'Processing', 'Completed', 'Failed', 'Rejected'] as const;
const JobStatus = z.enum(JOB_STATUSES).meta({ description: 'The status of a job.', examples: ['Completed'] });
export const JOB_SOURCES = ['RestApi', 'WatchedFolder', 'SignerFolder'] as const;
const JobSource = z.enum(JOB_SOURCES);
export const JOB_FORMATS = ['Pades', 'Cades', 'Xades'] as const;
const JobFormat = z.enum(JOB_FORMATS);

/** Longest reference of a caller's own. */
const MAX_REFERENCE_CHARACTERS = 512;

const job = {
  id: '6f1b3f64-2c1f-4a53-9a4e-0d2f5c8a7b10',
  fileName: 'report.pdf',
  status: 'Completed' as const,
  source: 'RestApi' as const,
  signatureFormat: 'Pades' as const,
  encryptionEnabled: false,
  externalReference: 'order-4711',
  createdAtUtc: '2026-03-02T12:00:00.000Z',
  updatedAtUtc: '2026-03-02T12:00:02.000Z',
  completedAtUtc: '2026-03-02T12:00:02.000Z',
  errorMessage: null,
};

export const CompactJob = z
  .object({
    id: z.uuid(),
    fileName: z.string(),
    status: JobStatus,
    source: JobSource.describe('RestApi for an upload, to either surface.'),
    signatureFormat: JobFormat,
    encryptionEnabled: z.boolean(),
    externalReference: z.string().nullable(),
    createdAtUtc: z.iso.datetime(),
    updatedAtUtc: z.iso.datetime(),
    completedAtUtc: z.iso
      .datetime()
      .nullable()
      .describe('When the job ended: Completed, Failed or Rejected. Null before.'),
    errorMessage: z.string().nullable(),
  })
  .meta({ description: 'A file on its way to its signature.', examples: [job] });

export const CompactJobList = z
  .object({ total: z.int(), page: z.int(), pageSize: z.int(), items: z.array(CompactJob) })
  .meta({
    description: 'A page of jobs, newest first.',
    examples: [{ total: 1, page: 1, pageSize: 50, items: [job] }],
  });

export const CompactJobDetails = CompactJob.extend({
  events: z.array(z.object({ createdAtUtc: z.iso.datetime(), status: JobStatus, message: z.string() })),
}).meta({
  description: 'A job with its events, in the order of their times.',
  examples: [
    {
      ...job,
      events: [
        { createdAtUtc: '2026-03-02T12:00:00.000Z', status: 'Pending' as const, message: 'Uploaded.' },
        {
          createdAtUtc: '2026-03-02T12:00:02.000Z',
          status: 'Completed' as const,
          message: 'Verified and released.',
        },
      ],
    },
  ],
});

export const JobParams = z.object({
  jobId: z.string().meta({ description: 'The id of the job.', examples: [job.id] }),
});

const word = z.string().min(1).max(MAX_REFERENCE_CHARACTERS);

export const JobListQuery = z
  .object({
    ...paging,
    status: inAnyCase(JobStatus).optional().describe('The status of a job, in any case.'),
    source: inAnyCase(JobSource).optional().describe('Where the file came from, in any case.'),
    signatureFormat: inAnyCase(JobFormat).optional().describe('The format of the signature, in any case.'),
    encryptionEnabled: inAnyCase(z.enum(['true', 'false']))
      .transform((text) => text === 'true')
      .optional()
      .describe('Whether the output is encrypted: true or false.'),
    filenameContains: word.optional().describe('A part of the file name, in any case.'),
    externalReferenceContains: word.optional().describe('A part of the external reference, in any case.'),
    createdFromUtc: timeRange.from,
    createdToUtc: timeRange.to,
  })
  .refine(({ createdFromUtc: from, createdToUtc: to }) => rangeInOrder[0]({ from, to }), {
    path: ['createdToUtc'],
    error: 'is before createdFromUtc',
  });

/** The fields of an upload beside its file. A misspelt one is refused: it must not leave an output in the clear. */
export const UploadFields = z.strictObject({
  // An unknown one has a code of its own.
  signatureFormat: z.string().default('Auto'),
  encryptionEnabled: inAnyCase(z.enum(['true', 'false'], 'must be true or false'))
    .transform((text) => text === 'true')
    .optional(),
  externalReference: z
    .string()
    .max(MAX_REFERENCE_CHARACTERS, `has more than ${MAX_REFERENCE_CHARACTERS} characters`)
    .optional(),
});

/** The form of an upload, for the contract document. */
export const UPLOAD_FORM = {
  type: 'object',
  description: 'The file, and how it is signed. The fields come before or after the file.',
  examples: [{ file: '(bytes of report.pdf)', signatureFormat: 'Auto', externalReference: 'order-4711' }],
  required: ['file'],
  properties: {
    file: { type: 'string', format: 'binary', description: 'The file, with its name. Exactly one.' },
    signatureFormat: {
      type: 'string',
      enum: ['Auto', 'Cades', 'Xades', 'Pades'],
      default: 'Auto',
      description: 'Auto leaves it to the profile, and else to the extension of the file.',
    },
    encryptionEnabled: {
      type: 'boolean',
      description: 'Whether the output is encrypted. As the profile says, if left out.',
    },
    externalReference: {
      type: 'string',
      maxLength: MAX_REFERENCE_CHARACTERS,
      description: "A text of the caller's own, to find the job by.",
    },
  },
} as const;

export const AcceptedFile = z.object({ jobId: z.uuid(), statusUrl: z.url(), outputUrl: z.url() }).meta({
  description: 'The job of an uploaded file, and where to follow it.',
  examples: [
    {
      jobId: job.id,
      statusUrl: `https://sign.example/compact/api/jobs/${job.id}`,
      outputUrl: `https://sign.example/compact/api/jobs/${job.id}/output`,
    },
  ],
});

export const RetriedJob = z
  .object({ jobId: z.uuid(), retryOf: z.uuid().describe('The failed job. It stays failed.') })
  .meta({
    description: 'The job that signs the file of a failed one.',
    examples: [{ jobId: job.id, retryOf: 'd2a1f0c4-6b1e-4a55-8f0e-3c9b7e5d2a18' }],
  });

const counts = z.record(z.string(), z.int());

export const Metrics = z
  .object({
    totalJobs: z.int(),
    pendingJobs: z.int(),
    processingJobs: z.int(),
    completedJobs: z.int(),
    failedJobs: z.int(),
    rejectedJobs: z.int(),
    jobsBySource: counts.describe('The numbers add up to totalJobs.'),
    jobsBySignatureFormat: counts.describe('The numbers add up to totalJobs.'),
    averageProcessingMs: z.number().describe('Of all files signed so far; 0 before the first.'),
    lastSuccessfulUtc: z.iso.datetime().nullable(),
    lastFailedUtc: z.iso.datetime().nullable(),
  })
  .meta({
    description: 'The jobs of both surfaces in numbers.',
    examples: [
      {
        totalJobs: 3,
        pendingJobs: 1,
        processingJobs: 0,
        completedJobs: 1,
        failedJobs: 1,
        rejectedJobs: 0,
        jobsBySource: { RestApi: 2, WatchedFolder: 1 },
        jobsBySignatureFormat: { Pades: 3 },
        averageProcessingMs: 84.5,
        lastSuccessfulUtc: '2026-03-02T12:00:02.000Z',
        lastFailedUtc: '2026-03-02T12:01:00.000Z',
      },
    ],
  });

export const InputRescan = z
  .object({ enqueued: z.int().describe('Files that became jobs within the time of the call.') })
  .meta({ description: 'What a scan of the input folders found.', examples: [{ enqueued: 2 }] });

export const CleanupCounts = z
  .object({
    jobsDeleted: z.int(),
    outputFilesDeleted: z.int(),
    errorFilesDeleted: z.int(),
    operationalEventsDeleted: z.int(),
    filesMissing: z.int().describe('Outputs that were due and were not there any more.'),
    errors: z.int().describe('Items that could not be handled. The next run tries them again.'),
  })
  .meta({
    description: 'What a call of retention did within its time.',
    examples: [
      {
        jobsDeleted: 120,
        outputFilesDeleted: 110,
        errorFilesDeleted: 10,
        operationalEventsDeleted: 0,
        filesMissing: 1,
        errors: 0,
      },
    ],
  });
