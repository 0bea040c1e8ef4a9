import { scheduleHandler } from '../../../shared/queue/schedule.ts';
import { sweepStranded } from '../domain/signing/sweep-stranded.ts';

export const handler = scheduleHandler('session', 'sweep-stranded', async ({ logger, now }) => {
  const { canceled, settled, failed } = await sweepStranded(now);
  if (canceled + settled > 0) logger.info('stranded documents', { canceled, settled });
  for (const error of failed)
    logger.warn('A stranded document was not swept; the next sweep tries again.', { error });
});
