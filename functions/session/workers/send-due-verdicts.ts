import { scheduleHandler } from '../../../shared/queue/schedule.ts';
import { sendDueVerdicts } from '../domain/renew-verdicts.ts';

// The last sends, with their repeats.
const LAST_SENDS_MS = 5_000;

export const handler = scheduleHandler(
  'session',
  'send-due-verdicts',
  async ({ logger, now, remainingMs }) => {
    const sent = await sendDueVerdicts(now(), () => remainingMs() > LAST_SENDS_MS);
    if (sent > 0) logger.info('verdicts to renew', { sent });
  },
);
