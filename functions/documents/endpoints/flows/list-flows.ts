import { StoredFlows, StoredFlowsQuery } from '../../contract/document-flows.ts';
import { listStoredFlows } from '../../domain/flows/stored-flow.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'GET /api/document-flows',
    can: 'templates.read',
    summary: 'List the stored flows of an organization',
    description:
      'Answers one page of stored flows, newest first unless `order` says otherwise. Continue with `nextCursor`.',
    query: StoredFlowsQuery,
    answers: { 200: StoredFlows },
    refuses: ['OrganizationRequired', 'OrganizationNotFound'],
  },
  async ({ query, caller }) => listStoredFlows(caller, query),
);
