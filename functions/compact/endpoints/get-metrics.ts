import { NoQuery } from '../../../shared/http/request/list-query.ts';
import { Metrics } from '../contract.ts';
import { readMetrics } from '../domain/read-metrics.ts';
import { compact } from '../service.ts';
import { settings } from '../settings.ts';

export const handler = compact.endpoint(
  {
    route: 'GET /metrics',
    summary: 'Read the metrics',
    description: 'The jobs of both surfaces in numbers. `Metrics:RequireApiKey` false opens it to anyone.',
    tag: 'operations',
    query: NoQuery,
    answers: { 200: Metrics },
    refuses: ['auth.misconfigured'],
    access: () => (settings['Metrics:RequireApiKey'] ? 'key' : 'public'),
    rate: 'All',
  },
  readMetrics,
);
