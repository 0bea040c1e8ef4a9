import { Health } from '../contract.ts';
import { compact } from '../service.ts';

export const handler = compact.endpoint(
  {
    route: 'GET /api/health',
    aliases: ['GET /healthz'],
    summary: 'Whether the service answers',
    description: 'For liveness probes. It reads no store, and needs no key.',
    tag: 'health',
    ignoresUnknownOptions: true,
    answers: { 200: Health },
    // No rate: probes, those of the engine itself among them, are no calls of a caller.
    access: 'public',
  },
  async () => ({ healthy: true as const, status: 'Healthy' }),
);
