import { scheduleHandler } from '../../../../shared/queue/schedule.ts';
import { receiveUntold } from '../../jobs/domain/presigned-upload.ts';
import { scheduleScans } from '../domain/schedule-scans.ts';

// For the files that are begun.
const RESERVE_MS = 15_000;

/** The store shows what notifications did not tell: in folders by their scans, and of links by a look of its own. */
export const handler = scheduleHandler('batch', 'schedule-scans', async ({ logger, now, remainingMs }) => {
  await scheduleScans(now());
  await receiveUntold({ logger, now, hasTime: () => remainingMs() > RESERVE_MS });
});
