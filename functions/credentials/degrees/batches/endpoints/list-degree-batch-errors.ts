import { ItemParams } from '../../../items/shapes.ts';
import { credentials } from '../../../service.ts';
import { BatchPageQuery, DegreeBatchErrors } from '../contract.ts';
import { listErrors } from '../domain/read-batch.ts';

export const handler = credentials.endpoint(
  {
    route: 'GET /api/degrees/batches/{id}/errors',
    can: 'items.read',
    summary: 'List the errors of a batch of degrees',
    description:
      'The lines that became no degree so far, each with the reason. Correct them and send them as another batch.',
    tag: 'degrees',
    params: ItemParams,
    query: BatchPageQuery,
    answers: { 200: DegreeBatchErrors },
    refuses: ['BatchNotFound'],
  },
  async ({ params, query, caller }) => listErrors(caller, params.id, query),
);
