import { partIn } from '../../../../shared/http/response/parts.ts';
import { TICKET_CODES } from '../../contract/refusals.ts';
import { KeyParams, TicketContentQuery } from '../../contract/signing/signing.ts';
import { openForTicket } from '../../domain/downloads/stored-content.ts';
import { ANY_FILE, contentResponse } from '../../http/content-response.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'GET /api/documents/keys/{key}/content',
    summary: 'Download the file of an action URL',
    description:
      'Answers the file that the person is asked to sign or approve. The key and the ticket come from the action URL. A `Range` of bytes is answered with 206.',
    params: KeyParams,
    query: TicketContentQuery,
    answers: { 200: ANY_FILE, 206: ANY_FILE },
    refuses: [...TICKET_CODES, 'ContentNotAvailable'],
    access: 'public',
    streams: true,
  },
  async ({ params, query, headers }) => {
    const request = { key: params.key, ticket: query.ticket, type: query.type, partOf: partIn(headers) };
    const { isInline: inline, ...content } = await openForTicket(request, Date.now());
    return contentResponse(content, { inline, takesRange: true });
  },
);
