import { scheduleHandler } from '../../../../../shared/queue/schedule.ts';
import { cleanUp } from '../domain/run.ts';

// The time of the function, where its host does not tell.
const MAX_MS = 900_000;
// A run that is not done goes on in tasks, by design. It ends before the alarm of functions that need 95 % of their time.
const RESERVE_MS = 60_000;

export const handler = scheduleHandler('batch', 'run-retention', async ({ logger, now, remainingMs }) => {
  const deadlineAtMs = now() + Math.min(remainingMs(), MAX_MS) - RESERVE_MS;
  const { message: result, ...counts } = await cleanUp({ deadlineAtMs }, now);
  logger.info('Retention ran.', { result, ...counts });
});
