import { GenerationErrors, GenerationPageQuery, GenerationParams } from '../../contract/generation.ts';
import { listGenerationErrors } from '../../domain/templates/generation/read-generation.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'GET /api/documents/generation/{id}/errors',
    can: 'documents.read',
    summary: 'List the refused lines of a generation',
    description:
      'The lines that became no document so far, each with the reason. Correct them and send them as another generation.',
    tag: 'documents',
    params: GenerationParams,
    query: GenerationPageQuery,
    answers: { 200: GenerationErrors },
    refuses: ['GenerationNotFound'],
  },
  async ({ params, query, caller }) => listGenerationErrors(caller, params.id, query),
);
