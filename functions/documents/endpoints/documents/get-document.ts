import { DocumentModel, DocumentParams } from '../../contract/documents.ts';
import { readDocument } from '../../domain/lists/render-document.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'GET /api/documents/{id}',
    summary: 'One document with its flow',
    params: DocumentParams,
    answers: { 200: DocumentModel },
    refuses: ['DocumentNotFound'],
  },
  async ({ params, caller }) => readDocument(caller, params.id, Date.now()),
);
