import * as z from 'zod';

/** Longest reason an operator may give. */
export const MAX_REASON_CHARACTERS = 512;

export const Health = z.object({ healthy: z.boolean(), status: z.string() });

export const Readiness = z.object({
  ready: z.boolean(),
  checks: z.array(z.object({ name: z.string(), ok: z.boolean() })),
});

export const ReadinessDetails = z.object({
  ready: z.boolean(),
  checks: z.array(z.object({ name: z.string(), ok: z.boolean(), detail: z.string() })),
});

export const PipelineReason = z.object({
  reason: z.string().optional().describe(`Why, for the record; at most ${MAX_REASON_CHARACTERS} characters.`),
});

export const PipelineState = z.object({
  paused: z.boolean(),
  pausedAtUtc: z.iso.datetime().nullable(),
  resumedAtUtc: z.iso.datetime().nullable(),
  pausedBy: z.string().nullable(),
  reason: z.string().nullable(),
  maxConcurrency: z.int(),
  jobsInFlight: z.int(),
  jobsInFlightByFormat: z.object({ pades: z.int(), cades: z.int(), xades: z.int(), total: z.int() }),
});
