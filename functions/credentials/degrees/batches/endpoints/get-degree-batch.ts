import { ItemParams } from '../../../items/shapes.ts';
import { credentials } from '../../../service.ts';
import { DegreeBatch } from '../contract.ts';
import { requireBatch } from '../domain/batch.ts';
import { renderBatch } from '../domain/read-batch.ts';

export const handler = credentials.endpoint(
  {
    route: 'GET /api/degrees/batches/{id}',
    can: 'items.read',
    summary: 'Read a batch of degrees',
    description: 'Answers how far the batch is. The counts are those of its last checkpoint.',
    tag: 'degrees',
    params: ItemParams,
    answers: { 200: DegreeBatch },
    refuses: ['BatchNotFound'],
  },
  async ({ params, caller }) => renderBatch(await requireBatch(caller, params.id)),
);
