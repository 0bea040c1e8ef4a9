import { TICKET_CODES } from '../../contract/refusals.ts';
import { KeyParams, TicketContentQuery } from '../../contract/signing.ts';
import { openForTicket } from '../../domain/downloads/stored-content.ts';
import { ANY_FILE, contentResponse } from '../../http/content-response.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'GET /api/documents/keys/{key}/content',
    summary: 'The file that an action URL is about',
    params: KeyParams,
    query: TicketContentQuery,
    answers: { 200: ANY_FILE },
    refuses: [...TICKET_CODES, 'ContentNotAvailable'],
    access: 'public',
    streams: true,
  },
  async ({ params, query }) => {
    const { isInline: inline, ...content } = await openForTicket(
      params.key,
      query.ticket,
      query.type,
      Date.now(),
    );
    return contentResponse(content, { inline });
  },
);
