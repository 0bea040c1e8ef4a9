import { StoredFlowDetails, StoredFlowParams } from '../../contract/document-flows.ts';
import { readStoredFlow } from '../../domain/flows/stored-flow.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'GET /api/document-flows/{id}',
    can: 'templates.read',
    summary: 'Read a stored flow',
    description: 'Answers the flow with its actions and observers.',
    params: StoredFlowParams,
    answers: { 200: StoredFlowDetails },
    refuses: ['FlowNotFound'],
  },
  async ({ params, caller }) => readStoredFlow(caller, params.id),
);
