import { ItemParams } from '../../../items/shapes.ts';
import { credentials } from '../../../service.ts';
import { BatchPageQuery, DegreeBatchLines } from '../contract.ts';
import { listLines } from '../domain/read-batch.ts';

export const handler = credentials.endpoint(
  {
    route: 'GET /api/degrees/batches/{id}/lines',
    can: 'items.read',
    summary: 'List the degrees of the lines of a batch',
    description: 'The lines that were worked through so far, each with the id of its degree.',
    tag: 'degrees',
    params: ItemParams,
    query: BatchPageQuery,
    answers: { 200: DegreeBatchLines },
    refuses: ['BatchNotFound'],
  },
  async ({ params, query, caller }) => listLines(caller, params.id, query),
);
