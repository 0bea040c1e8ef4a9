import { Health } from '../contract.ts';
import { batch } from '../service.ts';

export const handler = batch.endpoint(
  {
    route: 'GET /api/health',
    aliases: ['GET /healthz'],
    summary: 'Liveness',
    answers: { 200: Health },
    access: 'public',
  },
  async () => ({ healthy: true, status: 'Healthy' }),
);
