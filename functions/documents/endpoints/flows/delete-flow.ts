import { EMPTY } from '../../../../shared/http/declaration.ts';
import { empty } from '../../../../shared/http/response/answer.ts';
import { StoredFlowParams } from '../../contract/document-flows.ts';
import { deleteFlow } from '../../domain/flows/store-flow.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'DELETE /api/document-flows/{id}',
    can: 'templates.change',
    summary: 'Delete a stored flow',
    description: 'Documents that were made of it stay as they are.',
    params: StoredFlowParams,
    answers: { 204: EMPTY },
    refuses: ['FlowNotFound'],
  },
  async ({ params, caller }) => {
    await deleteFlow(caller, params.id);
    return empty(204);
  },
);
