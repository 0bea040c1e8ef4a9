import { NoQuery } from '../../../../shared/http/request/list-query.ts';
import { batch } from '../../service.ts';
import { Bulk, BulkParams } from '../contract/bulk.ts';
import { renderBulk, requireBulk } from '../domain/bulk/bulk.ts';

export const handler = batch.endpoint(
  {
    route: 'GET /api/jobs/bulk/{id}',
    summary: 'Get an action on many jobs',
    description: 'How far it has come: every job is counted in the change that it was.',
    tag: 'jobs',
    params: BulkParams,
    query: NoQuery,
    answers: { 200: Bulk },
    refuses: ['bulk.not-found', 'auth.misconfigured'],
  },
  async ({ params }) => renderBulk(await requireBulk(params.id)),
);
