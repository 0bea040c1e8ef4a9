import { NoQuery } from '../../../../shared/http/request/list-query.ts';
import { batch } from '../../service.ts';
import { Bulk, BulkParams } from '../contract/bulk.ts';
import { renderBulk } from '../domain/bulk/bulk.ts';
import { stopBulk } from '../domain/bulk/start-bulk.ts';

export const handler = batch.endpoint(
  {
    route: 'POST /api/jobs/bulk/{id}/stop',
    summary: 'Stop an action on many jobs',
    description: 'The jobs that it has come to stay as they are now. The others are left alone.',
    tag: 'jobs',
    params: BulkParams,
    query: NoQuery,
    answers: { 200: Bulk },
    refuses: ['bulk.not-found', 'bulk.not-running', 'auth.misconfigured'],
    rate: 'Actions',
  },
  async ({ params, caller }) => renderBulk(await stopBulk(caller, params.id, Date.now())),
);
