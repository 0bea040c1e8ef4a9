import { TICKET_CODES } from '../../contract/refusals.ts';
import { ActionDetails, KeyParams, TicketQuery } from '../../contract/signing.ts';
import { getActionDetails } from '../../domain/signing/action-url.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'GET /api/documents/keys/{key}/details',
    summary: 'What an action URL is about: the document, the action and who takes part',
    params: KeyParams,
    query: TicketQuery,
    answers: { 200: ActionDetails },
    refuses: TICKET_CODES,
    access: 'public',
  },
  async ({ params, query }) => getActionDetails(params.key, query.ticket, Date.now()),
);
