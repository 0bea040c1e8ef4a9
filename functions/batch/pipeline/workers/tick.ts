import { scheduleHandler } from '../../../../shared/queue/schedule.ts';
import { spreadTicks } from '../../../../shared/queue/ticks.ts';
import { lookAfterBackups } from '../../installation/backup/domain/schedule.ts';
import { JOBS_QUEUE } from '../../jobs/domain/job/create-job.ts';
import { settings } from '../../settings.ts';
import { workFiles } from '../../storage/domain/stores.ts';

/**
 * Wakes a worker every Pipeline:PollIntervalSeconds, claims the work share before there is a job for it, and begins the
 * backup of the day.
 */
export const handler = scheduleHandler('batch', 'tick', async ({ logger, now }) => {
  await spreadTicks({
    service: 'batch',
    queue: JOBS_QUEUE,
    everySeconds: settings['Pipeline:PollIntervalSeconds'],
  });
  await workFiles().catch((error) => logger.warn('Jobs wait: the work share is not usable.', { error }));
  await lookAfterBackups(logger, now()).catch((error) =>
    logger.error('The backup of the day was not begun. The next minute tries again.', { error }),
  );
});
