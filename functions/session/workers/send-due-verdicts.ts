import { scheduleHandler } from '../../../shared/queue/schedule.ts';
import { renewDueVerdicts } from '../domain/renew-verdicts.ts';

export const handler = scheduleHandler('session', 'renew-verdicts', async ({ logger, now }) => {
  const { renewed, forgotten, failed } = await renewDueVerdicts(now());
  if (renewed + forgotten > 0) logger.info('verdicts renewed', { renewed, forgotten });
  for (const error of failed) logger.warn('A verdict was not renewed; the next run tries again.', { error });
});
