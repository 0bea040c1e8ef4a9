import {
  deliverMail,
  type Mailer,
  type MailOutcome,
  mailDueAt,
  recordMails,
} from '../../../../shared/mail/deliver.ts';
import { settings } from '../../settings.ts';
import { type CodeRecipient, composeCodeMail, findCodeRecipient } from './code-mail.ts';
import { composeMail } from './compose-mail.ts';
import { documentMails } from './document-mails.ts';
import { type Announcement, type CallToAct, mailIdOf, type PersonTask } from './mail-tasks.ts';
import { findRecipient, type Recipient, tasksOf } from './recipients.ts';

type Clock = () => number;

const DAY_MS = 86_400_000;
const MAX_REMINDERS = 3;

/** Mail to the people of documents. What is given up stays in the record, which the document's details show. */
type Found = Recipient | CodeRecipient;

const isCode = (found: Found): found is CodeRecipient => found.task.task === 'code';

const documentMail: Mailer<PersonTask, Found> = {
  service: 'documents',
  settings,
  records: documentMails,
  idOf: mailIdOf,
  find: async (task, nowMs) =>
    task.task === 'code' ? findCodeRecipient(task, nowMs) : findRecipient(task, nowMs),
  compose: (found, nowMs) => (isCode(found) ? composeCodeMail(found, nowMs) : composeMail(found, nowMs)),
  sent: ({ task }, nowMs) => (task.task === 'call' ? reminding(task, nowMs) : []),
  failed: ({ task, document }, _, nowMs) =>
    task.task === 'call' && document.createdBy.type === 'User'
      ? [mailDueAt(documentMail, { ...task, task: 'undelivered' }, nowMs)]
      : [],
};

/** The next reminder, recorded when the message before it is sent. Nobody who has acted by then gets it. */
function reminding(task: CallToAct, nowMs: number) {
  const days = settings['Mail:RemindAfterDays'];
  if (days === 0 || task.kind === 'RequestedReminder' || task.number >= MAX_REMINDERS) return [];
  const next: CallToAct = { ...task, kind: 'Reminder', number: task.number + 1 };
  return [mailDueAt(documentMail, next, nowMs + days * DAY_MS)];
}

/** Records a message for everybody who is to be told. */
export const announce = async (announcement: Announcement, now: Clock): Promise<void> =>
  recordMails(documentMail, await tasksOf(announcement, now()), now);

/** Records these messages. */
export const recordCalls = (tasks: readonly CallToAct[], now: Clock): Promise<void> =>
  recordMails(documentMail, tasks, now);

/** Records one message. */
export const recordMail = (task: PersonTask, now: Clock): Promise<void> =>
  recordMails(documentMail, [task], now);

/** Sends the message to one person. */
export const mailPerson = (task: PersonTask, now: Clock): Promise<MailOutcome> =>
  deliverMail(documentMail, task, now);
