import { MAIL_QUEUE } from '../../../../shared/mail/queue.ts';
import { consume } from '../../../../shared/queue/consume.ts';
import { MailTask, mailApprover, mailApprovers } from '../domain/mail/send-mail.ts';

/** A mail server that does not take a message is no failure here: the message is recorded for a later time. */
export const handler = consume(
  { service: 'batch', queue: MAIL_QUEUE, message: MailTask, maxReceives: 5 },
  async ({ jobId, address }, { logger }) => {
    if (address === undefined) return mailApprovers(jobId, Date.now);
    const outcome = await mailApprover(jobId, address, Date.now);
    logger.info('mail to an approver', { jobId, outcome });
  },
);
