import { GenerationModel, GenerationParams } from '../../contract/generation.ts';
import { cancelGeneration } from '../../domain/templates/generation/cancel-generation.ts';
import { renderGeneration } from '../../domain/templates/generation/read-generation.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'POST /api/documents/generation/{id}/cancellation',
    can: 'documents.send',
    summary: 'Stop a generation of documents',
    description:
      'Lines that are under way are finished, and no other is begun: the status is Canceling until then, and Canceled after it. Documents that were made stay.',
    tag: 'documents',
    params: GenerationParams,
    answers: { 200: GenerationModel },
    refuses: ['GenerationNotFound', 'InvalidGenerationStatus'],
  },
  async ({ params, caller }) => renderGeneration(await cancelGeneration(caller, params.id, Date.now())),
);
