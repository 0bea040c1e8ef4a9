import * as z from 'zod';
import type { Endpoint, Service } from './endpoint.ts';
import { SERVICE_TAG } from './reference/tags.ts';

const Health = z
  .object({ status: z.literal('ok') })
  .meta({ description: 'The service answers.', examples: [{ status: 'ok' }] });

/**
 * Says that the service answers, to anyone. It asks nothing of the store, so that a probe costs nothing.
 * @example export const handler = healthEndpoint(session);
 */
export const healthEndpoint = (service: Service): Endpoint =>
  service.endpoint(
    {
      route: 'GET /healthz',
      summary: 'Whether the service answers',
      description: 'For probes and load balancers. It reads no store, and needs no key.',
      tag: SERVICE_TAG,
      answers: { 200: Health },
      access: 'public',
      ignoresUnknownOptions: true,
    },
    async () => ({ status: 'ok' as const }),
  );
