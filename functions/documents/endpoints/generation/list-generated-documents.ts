import { GeneratedDocuments, GenerationPageQuery, GenerationParams } from '../../contract/generation.ts';
import { listGeneratedDocuments } from '../../domain/templates/generation/read-generation.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'GET /api/documents/generation/{id}/documents',
    can: 'documents.read',
    summary: 'List the documents of a generation',
    description: 'The rows that were worked through so far, each with the id of its document.',
    tag: 'documents',
    params: GenerationParams,
    query: GenerationPageQuery,
    answers: { 200: GeneratedDocuments },
    refuses: ['GenerationNotFound'],
  },
  async ({ params, query, caller }) => listGeneratedDocuments(caller, params.id, query),
);
