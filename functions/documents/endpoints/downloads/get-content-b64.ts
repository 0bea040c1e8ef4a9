import { DocumentParams } from '../../contract/documents.ts';
import { ContentBase64, ContentQuery } from '../../contract/downloads.ts';
import { findDocument } from '../../domain/document/document.ts';
import { openContent } from '../../domain/downloads/content.ts';
import { contentAsBase64 } from '../../http/content-response.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'GET /api/documents/{id}/content-b64',
    can: 'documents.read',
    summary: 'Download a document as base64 in JSON',
    description:
      'The same content as GET …/content, for clients that read only JSON. Large files are refused: download them as they are.',
    params: DocumentParams,
    query: ContentQuery,
    answers: { 200: ContentBase64 },
    refuses: ['DocumentNotFound', 'ContentNotAvailable', 'ContentTooLarge'],
    streams: true,
  },
  async ({ params, query, caller, deadlineAtMs, hangUp }) =>
    contentAsBase64(
      await openContent(() => findDocument(caller, params.id), query.type, {
        now: Date.now,
        deadlineAtMs,
        hangUp,
      }),
    ),
);
