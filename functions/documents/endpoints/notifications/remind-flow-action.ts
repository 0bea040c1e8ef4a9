import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { EMPTY } from '../../../../shared/http/declaration.ts';
import { empty } from '../../../../shared/http/response/answer.ts';
import { ReminderRequest } from '../../contract/mail.ts';
import { ACTION_CODES } from '../../contract/refusals.ts';
import { remindFlowAction } from '../../domain/mail/remind.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'POST /api/notifications/flow-action-reminder',
    can: 'documents.change',
    summary: 'Remind the people whom an action waits for',
    description:
      'Each of them gets a mail with a new link. Somebody who was reminded within the last hour is left out; where everybody was, the call is refused with `TooManyRequests`.',
    body: jsonBody(ReminderRequest),
    answers: { 204: EMPTY },
    refuses: [
      'DocumentNotFound',
      ...ACTION_CODES,
      'MailNotEnabled',
      'NotificationsDisabled',
      'EmailAddressRequired',
    ],
  },
  async ({ body, caller }) => {
    await remindFlowAction(caller, body, Date.now);
    return empty(204);
  },
);
