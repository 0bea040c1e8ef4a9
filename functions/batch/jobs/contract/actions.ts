import * as z from 'zod';
import { Reason } from '../reason.ts';
import { JobStatus, job } from './job.ts';

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
