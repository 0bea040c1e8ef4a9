import { Health } from '../contract.ts';
import { compact } from '../service.ts';

export const handler = compact.endpoint(
  {
    route: 'GET /api/health',
    aliases: ['GET /healthz'],
    summary: 'Whether the service answers',
    description: 'For liveness probes. It reads no store, and needs no key.',
    tag: 'health',
    answers: { 200: Health },
    access: 'public',
    rate: 'All',
  },
  async () => ({ healthy: true as const, status: 'Healthy' }),
);
