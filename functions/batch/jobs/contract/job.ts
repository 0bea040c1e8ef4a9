import * as z from 'zod';

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

export const job = {
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

export const JobParams = z.object({
  id: z.string().meta({ description: 'The id of the job.', examples: [job.id] }),
});
