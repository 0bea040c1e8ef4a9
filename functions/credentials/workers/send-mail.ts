import { MAIL_QUEUE } from '../../../shared/mail/queue.ts';
import { MemberMail } from '../../../shared/members/member-mail-task.ts';
import { consume } from '../../../shared/queue/consume.ts';
import { mailMember } from '../tenants/domain/members/member-mail.ts';

/** A mail server that does not take a message is no failure here: the message is recorded for a later time. */
export const handler = consume(
  { service: 'credentials', queue: MAIL_QUEUE, message: MemberMail, maxReceives: 5 },
  async (task, { logger }) => {
    logger.info('mail to a member', { outcome: await mailMember(task, Date.now) });
  },
);
