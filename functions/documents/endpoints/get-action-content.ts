import { file } from '../../../shared/http/answer.ts';
import { fileOf } from '../../../shared/http/declaration.ts';
import { TICKET_CODES } from '../contract/refusals.ts';
import { KeyParams, TicketContentQuery } from '../contract/signing.ts';
import { openOffered } from '../domain/signing/offered-content.ts';
import { documents } from '../service.ts';

export const handler = documents.endpoint(
  {
    route: 'GET /api/documents/keys/{key}/content',
    summary: 'The file that an action URL is about',
    params: KeyParams,
    query: TicketContentQuery,
    answers: { 200: fileOf('*/*') },
    refuses: [...TICKET_CODES, 'ContentNotAvailable'],
    access: 'public',
    streams: true,
  },
  async ({ params, query }) => {
    const content = await openOffered(params.key, query.ticket, query.type, Date.now());
    const { body, name, contentType, isInline } = content;
    // What somebody uploaded must not run as a page of this site.
    const headers: Record<string, string> = isInline
      ? {}
      : { 'content-security-policy': "sandbox; default-src 'none'" };
    return file(body, contentType, { name, inline: isInline, headers });
  },
);
