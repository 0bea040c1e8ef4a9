import { DocumentModel, DocumentParams } from '../../contract/documents.ts';
import { readDocument } from '../../domain/links/read-document.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'GET /api/documents/{id}',
    can: 'documents.read',
    summary: 'Read a document with its flow',
    description: 'Answers the document, every action of its flow and who has completed it.',
    params: DocumentParams,
    answers: { 200: DocumentModel },
    refuses: ['DocumentNotFound'],
  },
  async ({ params, caller }) => readDocument(caller, params.id, Date.now()),
);
