import { DocumentParams } from '../../contract/documents.ts';
import { ContentTicket, TicketQueryOfContent } from '../../contract/downloads.ts';
import { findDocument } from '../../domain/document/document.ts';
import { issueDownloadLink } from '../../domain/downloads/download-tickets.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'GET /api/documents/{id}/ticket',
    can: 'documents.read',
    summary: 'Create a link that downloads a document without a key',
    description:
      'The link carries a ticket for one form of the document, and opens until it expires. Give it to a browser.',
    params: DocumentParams,
    query: TicketQueryOfContent,
    answers: { 200: ContentTicket },
    refuses: ['DocumentNotFound', 'ContentNotAvailable'],
  },
  async ({ params, query, caller }) => ({
    location: await issueDownloadLink(await findDocument(caller, params.id), query.type, Date.now(), {
      isPreview: query.preview ?? false,
    }),
  }),
);
