import { Health } from '../operations/contract.ts';
import { batch } from '../service.ts';

export const handler = batch.endpoint(
  {
    route: 'GET /api/health',
    aliases: ['GET /healthz'],
    summary: 'Whether the service answers',
    description: 'For liveness probes. It reads no store, and needs no key.',
    tag: 'health',
    ignoresUnknownOptions: true,
    answers: { 200: Health },
    access: 'public',
  },
  async () => ({ healthy: true, status: 'Healthy' }),
);
