import * as z from 'zod';
import type { Endpoint, Service } from './endpoint.ts';

/**
 * Says that the service answers, to anyone. It asks nothing of the store, so that a probe costs nothing.
 * @example export const handler = healthEndpoint(session);
 */
export const healthEndpoint = (service: Service): Endpoint =>
  service.endpoint(
    {
      route: 'GET /healthz',
      summary: 'Whether the service answers',
      answers: { 200: z.object({ status: z.literal('ok') }) },
      access: 'public',
    },
    async () => ({ status: 'ok' as const }),
  );
