import * as z from 'zod';

export const Health = z
  .object({ healthy: z.boolean(), status: z.string() })
  .meta({ description: 'The service answers.', examples: [{ healthy: true, status: 'Healthy' }] });

export const Readiness = z
  .object({
    ready: z.boolean(),
    checks: z.array(z.object({ name: z.string(), ok: z.boolean() })),
  })
  .meta({
    description: 'Whether the service can work, by check.',
    examples: [{ ready: true, checks: [{ name: 'database', ok: true }] }],
  });

export const ReadinessDetails = z
  .object({
    ready: z.boolean(),
    checks: z.array(z.object({ name: z.string(), ok: z.boolean(), detail: z.string() })),
  })
  .meta({
    description: 'Whether the service can work, with what each check saw.',
    examples: [{ ready: true, checks: [{ name: 'database', ok: true, detail: 'Answered.' }] }],
  });
