import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { EMPTY } from '../../../../shared/http/declaration.ts';
import { empty } from '../../../../shared/http/response/answer.ts';
import { NotifyPending } from '../../contract/mail.ts';
import { notifyPending } from '../../domain/mail/notify-pending.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'POST /api/users/notify-pending',
    can: 'documents.change',
    summary: 'Tell people what waits for them',
    description:
      'For documents that were created with `disablePendingActionNotifications`. Each address gets a message for each document that waits for it, at most 20, the oldest first; none for a document of which it was told within the hour. They follow the answer.',
    body: jsonBody(NotifyPending),
    answers: { 204: EMPTY },
    refuses: ['OrganizationRequired', 'OrganizationNotFound', 'MailNotEnabled'],
  },
  async ({ body, caller }) => {
    await notifyPending(caller, body.emails, Date.now);
    return empty(204);
  },
);
