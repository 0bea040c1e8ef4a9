import { scheduleHandler } from '../../../../shared/queue/schedule.ts';
import { spreadTicks } from '../../../../shared/queue/ticks.ts';
import { JOBS_QUEUE } from '../../jobs/domain/job/create-job.ts';
import { settings } from '../../settings.ts';

/** Wakes a worker every Pipeline:PollIntervalSeconds. */
export const handler = scheduleHandler('batch', 'tick', () =>
  spreadTicks({
    service: 'batch',
    queue: JOBS_QUEUE,
    everySeconds: settings['Pipeline:PollIntervalSeconds'],
  }),
);
