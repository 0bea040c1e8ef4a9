import { GenerationModel, GenerationParams } from '../../contract/generation.ts';
import { requireGeneration } from '../../domain/templates/generation/generation.ts';
import { renderGeneration } from '../../domain/templates/generation/read-generation.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'GET /api/documents/generation/{id}',
    can: 'documents.read',
    summary: 'Read a generation of documents',
    description: 'Answers how far the generation is.',
    tag: 'documents',
    params: GenerationParams,
    answers: { 200: GenerationModel },
    refuses: ['GenerationNotFound'],
  },
  async ({ params, caller }) => renderGeneration(await requireGeneration(caller, params.id)),
);
