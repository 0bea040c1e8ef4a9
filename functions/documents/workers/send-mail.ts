import { MAIL_QUEUE } from '../../../shared/mail/queue.ts';
import { consume } from '../../../shared/queue/consume.ts';
import { MailTask } from '../domain/mail/mail-tasks.ts';
import { mailMember } from '../domain/mail/member-mail.ts';
import { remindPending } from '../domain/mail/notify-pending.ts';
import { announce, mailPerson } from '../domain/mail/send-mail.ts';

/** A mail server that does not take a message is no failure here: the message is recorded for a later time. */
export const handler = consume(
  { service: 'documents', queue: MAIL_QUEUE, message: MailTask, maxReceives: 5 },
  async (task, { logger }) => {
    if (task.task === 'announce') return announce(task, Date.now);
    if (task.task === 'pending') {
      logger.info('searched for what waits for an address', { outcome: await remindPending(task, Date.now) });
      return;
    }
    if (task.task === 'member') {
      logger.info('mail to a member', { outcome: await mailMember(task, Date.now) });
      return;
    }
    const outcome = await mailPerson(task, Date.now);
    logger.info('mail to a participant', { documentId: task.documentId, outcome });
  },
);
