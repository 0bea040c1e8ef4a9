import * as z from 'zod';

export const MAX_PAGE = 10_737_418;
export const MAX_PAGE_SIZE = 200;

const JobFormat = z.enum(['Pades', 'Cades', 'Xades']);
export const JobStatus = z.enum([
  'Queued',
  'Processing',
  'Verifying',
  'Completed',
  'Failed',
  'Canceled',
  'AwaitingSigner',
  'AwaitingApproval',
]);

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
    source: z.enum(['Upload', 'WatchedFolder', 'SignerFolder']),
    status: JobStatus,
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    parentJobId: z.uuid().nullable().describe('The failed job that this one retries.'),
    errorCode: z.string().nullable().describe('The recorded code of the error table.'),
    errorMessage: z.string().nullable(),
    profileName: z.string(),
  })
  .meta({ description: 'A file on its way to its signature.', examples: [job] });

export const JobList = z
  .object({ items: z.array(Job), page: z.int(), pageSize: z.int(), totalCount: z.int() })
  .meta({
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

export const JobDetails = Job.extend({
  history: z.array(
    z.object({ id: z.int(), timestamp: z.iso.datetime(), status: JobStatus, message: z.string() }),
  ),
  cnab240: Cnab240.nullable(),
  approval: z.null().describe('The approvals of a job that waits, or waited, for them.'),
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

/** The form of an upload, for the contract document. */
export const FILE_FORM = {
  type: 'object',
  required: ['file'],
  properties: { file: { type: 'string', format: 'binary', description: 'The file, with its name.' } },
} as const;

export const JobParams = z.object({ id: z.string() });
