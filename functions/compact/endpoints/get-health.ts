import { Health } from '../contract.ts';
import { compact } from '../service.ts';

export const handler = compact.endpoint(
  {
    route: 'GET /api/health',
    aliases: ['GET /healthz'],
    summary: 'Liveness',
    answers: { 200: Health },
    access: 'public',
    rate: 'All',
  },
  async () => ({ healthy: true as const, status: 'Healthy' }),
);
