import { DocumentParams } from '../../contract/documents.ts';
import { ContentQuery, ContentTicket } from '../../contract/downloads.ts';
import { findDocument } from '../../domain/document/document.ts';
import { issueDownloadLink } from '../../domain/downloads/download-tickets.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'GET /api/documents/{id}/ticket',
    summary: 'A link to download a document without a key',
    params: DocumentParams,
    query: ContentQuery,
    answers: { 200: ContentTicket },
    refuses: ['DocumentNotFound', 'ContentNotAvailable'],
  },
  async ({ params, query, caller }) => ({
    location: await issueDownloadLink(await findDocument(caller, params.id), query.type, Date.now()),
  }),
);
