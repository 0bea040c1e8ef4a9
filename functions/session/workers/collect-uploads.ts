import { scheduleHandler } from '../../../shared/queue/schedule.ts';
import { collectUploads } from '../domain/uploads/collect.ts';

// A page of a thousand files.
const LAST_PAGE_MS = 15_000;

export const handler = scheduleHandler('session', 'collect-uploads', async ({ logger, now, remainingMs }) => {
  const removed = await collectUploads(now(), () => remainingMs() > LAST_PAGE_MS);
  if (removed > 0) logger.info('expired uploads', { removed });
});
