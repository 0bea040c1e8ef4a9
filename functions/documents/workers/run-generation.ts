import { consume } from '../../../shared/queue/consume.ts';
import { GENERATIONS_QUEUE, GenerationMessage } from '../domain/templates/generation/generation.ts';
import { runGeneration } from '../domain/templates/generation/run-generation.ts';
import { readPeople } from '../http/read-people.ts';

// A message may be received by many workers that are killed before it is given up.
export const handler = consume(
  {
    service: 'documents',
    queue: GENERATIONS_QUEUE,
    message: GenerationMessage,
    maxReceives: 20,
    concurrency: 1,
  },
  async ({ generationId }, { logger }) => {
    const outcome = await runGeneration(generationId, { readPeople, now: Date.now, logger });
    logger.info('generation run', { generationId, outcome });
    return undefined;
  },
);
