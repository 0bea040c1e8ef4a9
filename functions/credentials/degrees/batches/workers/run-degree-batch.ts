import { consume } from '../../../../../shared/queue/consume.ts';
import { BATCHES_QUEUE, BatchMessage } from '../domain/batch.ts';
import { runBatch } from '../domain/run-batch.ts';
import { readLine } from '../read-line.ts';

// A message may be received by many workers that are killed before it is given up.
export const handler = consume(
  { service: 'credentials', queue: BATCHES_QUEUE, message: BatchMessage, maxReceives: 20, concurrency: 1 },
  async ({ batchId }, { logger }) => {
    const outcome = await runBatch(batchId, { readLine, now: Date.now, logger });
    logger.info('batch run', { batchId, outcome });
    return undefined;
  },
);
