import { Health } from '../contract.ts';
import { compact } from '../service.ts';

export const handler = compact.endpoint(
  {
    route: 'GET /api/health',
    summary: 'Whether the service answers',
    description:
      'It needs no key, and counts for the limit of calls. `GET /healthz` says the same to probes, is not counted and reads no store.',
    tag: 'health',
    ignoresUnknownOptions: true,
    answers: { 200: Health },
    access: 'public',
    rate: 'All',
  },
  async () => ({ healthy: true as const, status: 'Healthy' }),
);
