import { TICKET_CODES } from '../../contract/refusals.ts';
import { KeyParams, TicketContentQuery } from '../../contract/signing.ts';
import { openOffered } from '../../domain/downloads/offered-content.ts';
import { ANY_FILE, contentAnswer } from '../../http/content-answer.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'GET /api/documents/keys/{key}/content',
    summary: 'Download the file of an action URL',
    description:
      'Answers the file that the person is asked to sign or approve. The key and the ticket come from the action URL.',
    params: KeyParams,
    query: TicketContentQuery,
    answers: { 200: ANY_FILE },
    refuses: [...TICKET_CODES, 'ContentNotAvailable'],
    access: 'public',
    streams: true,
  },
  async ({ params, query }) => {
    const { isInline: inline, ...content } = await openOffered(
      params.key,
      query.ticket,
      query.type,
      Date.now(),
    );
    return contentAnswer(content, { inline });
  },
);
