import { scheduleHandler } from '../../../../shared/queue/schedule.ts';
import { cleanUp } from '../domain/run.ts';

// The time of the function, where its host does not tell.
const MAX_MS = 900_000;

export const handler = scheduleHandler('batch', 'run-retention', async ({ logger, now, remainingMs }) => {
  const deadlineAtMs = now() + Math.min(remainingMs(), MAX_MS);
  const { message: result, ...counts } = await cleanUp({ deadlineAtMs }, now);
  logger.info('Retention ran.', { result, ...counts });
});
