import { scheduleHandler } from '../../../../shared/queue/schedule.ts';
import { collectUploads } from '../domain/collect-uploads.ts';

// A page of a thousand files takes seconds.
const LAST_PAGE_MS = 30_000;

export const handler = scheduleHandler('batch', 'collect-uploads', async ({ logger, now, remainingMs }) => {
  const removed = await collectUploads(now(), () => remainingMs() > LAST_PAGE_MS);
  if (removed > 0) logger.info('Removed the files of uploads without a job.', { removed });
});
