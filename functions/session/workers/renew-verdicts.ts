import { consume } from '../../../shared/queue/consume.ts';
import { RenewalMessage, renewDueVerdict, VERDICTS_QUEUE } from '../domain/renew-verdicts.ts';

/** A failure is no reason to deliver the message again: the schedule sends the verdict again while it is due. */
export const handler = consume(
  { service: 'session', queue: VERDICTS_QUEUE, message: RenewalMessage, maxReceives: 3 },
  async (message, { logger }) => {
    try {
      logger.debug('verdict handled', { outcome: await renewDueVerdict(message, Date.now()) });
    } catch (error) {
      logger.warn('A verdict was not renewed; the next run tries again.', { error });
    }
  },
);
