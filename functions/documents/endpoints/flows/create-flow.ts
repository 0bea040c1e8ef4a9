import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { StoredFlowModel, StoredFlowRequest } from '../../contract/document-flows.ts';
import { storeFlow } from '../../domain/flows/store-flow.ts';
import { renderStoredFlow } from '../../domain/flows/stored-flow.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'POST /api/document-flows',
    can: 'templates.change',
    summary: 'Store a flow for later documents',
    description: 'Keeps actions and observers under a name, in the organization of the key.',
    body: jsonBody(StoredFlowRequest),
    answers: { 200: StoredFlowModel },
    refuses: ['OrganizationRequired', 'OrganizationNotFound', 'OptionNotSupported'],
    once: true,
  },
  async ({ body, caller, once }) =>
    once(body, async () => renderStoredFlow(await storeFlow(caller, body, Date.now()))),
);
