import { scheduleHandler } from '../../../shared/queue/schedule.ts';
import { sweepStranded } from '../domain/signing/sweep-stranded.ts';

// The search, the question and the cancellation of the last document each wait for the platform.
const LAST_DOCUMENT_MS = 15_000;

export const handler = scheduleHandler('session', 'sweep-stranded', async ({ logger, now, remainingMs }) => {
  const { canceled, settled, failed } = await sweepStranded(now, () => remainingMs() > LAST_DOCUMENT_MS);
  if (canceled + settled > 0) logger.info('stranded documents', { canceled, settled });
  for (const error of failed)
    logger.warn('A stranded document was not swept; the next sweep tries again.', { error });
});
