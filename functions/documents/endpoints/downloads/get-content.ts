import { DocumentParams } from '../../contract/documents.ts';
import { ContentQuery } from '../../contract/downloads.ts';
import { findDocument } from '../../domain/document/document.ts';
import { openContent } from '../../domain/downloads/content.ts';
import { ANY_FILE, contentResponse } from '../../http/content-response.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'GET /api/documents/{id}/content',
    can: 'documents.read',
    summary: 'Download a document',
    description:
      'Answers the file in the form that `type` asks for: the original, the signed file, or a drawn version with marks or a manifest.',
    params: DocumentParams,
    query: ContentQuery,
    answers: { 200: ANY_FILE },
    refuses: ['DocumentNotFound', 'ContentNotAvailable'],
    streams: true,
  },
  async ({ params, query, caller, deadlineAtMs, hangUp }) =>
    contentResponse(
      await openContent(() => findDocument(caller, params.id), query.type, {
        now: Date.now,
        deadlineAtMs,
        hangUp,
      }),
    ),
);
