import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { StoredFlowModel, StoredFlowParams, StoredFlowRequest } from '../../contract/document-flows.ts';
import { replaceFlow } from '../../domain/flows/store-flow.ts';
import { renderStoredFlow } from '../../domain/flows/stored-flow.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'PUT /api/document-flows/{id}',
    can: 'templates.change',
    summary: 'Replace a stored flow',
    description: 'Replaces its name, actions and observers. Documents stay as they are.',
    params: StoredFlowParams,
    body: jsonBody(StoredFlowRequest),
    answers: { 200: StoredFlowModel },
    refuses: ['FlowNotFound', 'OptionNotSupported'],
  },
  async ({ params, body, caller }) =>
    renderStoredFlow(await replaceFlow(caller, params.id, body, Date.now())),
);
