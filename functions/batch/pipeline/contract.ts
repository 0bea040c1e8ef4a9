import * as z from 'zod';
import { Reason } from '../jobs/reason.ts';

export const PipelineReason = z
  .object({
    reason: Reason,
  })
  .meta({
    description: 'Why the pipeline is paused or resumed.',
    examples: [{ reason: 'Certificate renewal.' }],
  });

export const PipelineState = z
  .object({
    paused: z.boolean(),
    pausedAtUtc: z.iso.datetime().nullable(),
    resumedAtUtc: z.iso.datetime().nullable(),
    pausedBy: z.string().nullable(),
    reason: z.string().nullable(),
    maxConcurrency: z.int(),
    jobsInFlight: z.int(),
    jobsInFlightByFormat: z.object({ pades: z.int(), cades: z.int(), xades: z.int(), total: z.int() }),
  })
  .meta({
    description: 'Whether the pipeline is paused, and the jobs in flight.',
    examples: [
      {
        paused: true,
        pausedAtUtc: '2026-03-02T12:00:00.000Z',
        resumedAtUtc: null,
        pausedBy: 'operator',
        reason: 'Certificate renewal.',
        maxConcurrency: 4,
        jobsInFlight: 1,
        jobsInFlightByFormat: { pades: 1, cades: 0, xades: 0, total: 1 },
      },
    ],
  });
