import { TICKET_CODES } from '../../contract/refusals.ts';
import { ActionDetails } from '../../contract/signing/action-details.ts';
import { KeyParams, TicketQuery } from '../../contract/signing/signing.ts';
import { getActionDetails } from '../../domain/signing/action-url.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'GET /api/documents/keys/{key}/details',
    summary: 'Read what an action URL is about',
    description:
      'Answers the document, the action of the person and the other participants. The key and the ticket come from the action URL.',
    params: KeyParams,
    query: TicketQuery,
    answers: { 200: ActionDetails },
    refuses: TICKET_CODES,
    access: 'public',
  },
  async ({ params, query }) => getActionDetails(params.key, query.ticket, Date.now()),
);
