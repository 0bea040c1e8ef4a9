import * as z from 'zod';

export const Health = z.object({ healthy: z.literal(true), status: z.string() });

export const Readiness = z.object({
  ready: z.boolean(),
  checks: z.array(z.object({ name: z.string(), ok: z.boolean() })),
});
