import { NoQuery } from '../../../../shared/http/request/list-query.ts';
import { batch } from '../../service.ts';
import { BulkList } from '../contract/bulk.ts';
import { listBulks, renderBulk } from '../domain/bulk/bulk.ts';

export const handler = batch.endpoint(
  {
    route: 'GET /api/jobs/bulk',
    summary: 'List the newest actions on many jobs',
    description: 'At most 20, the newest first. An action is kept for 30 days.',
    tag: 'jobs',
    query: NoQuery,
    answers: { 200: BulkList },
    refuses: ['auth.misconfigured'],
  },
  async () => ({ items: (await listBulks()).map(renderBulk) }),
);
