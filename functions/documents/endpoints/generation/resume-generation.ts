import { GenerationModel, GenerationParams } from '../../contract/generation.ts';
import { resumeGeneration } from '../../domain/templates/generation/cancel-generation.ts';
import { renderGeneration } from '../../domain/templates/generation/read-generation.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'POST /api/documents/generation/{id}/resumption',
    can: 'documents.send',
    summary: 'Go on with a generation that was stopped',
    description:
      'The lines that are left become documents. Possible for 30 days, as long as the lines are stored.',
    tag: 'documents',
    params: GenerationParams,
    answers: { 200: GenerationModel },
    refuses: ['GenerationNotFound', 'InvalidGenerationStatus', 'GenerationFilesGone'],
  },
  async ({ params, caller }) => renderGeneration(await resumeGeneration(caller, params.id, Date.now())),
);
