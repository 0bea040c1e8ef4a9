import * as z from 'zod';
import type { MailId } from '../../../../shared/mail/record.ts';
import { MemberMail } from '../../../../shared/members/member-mail-task.ts';
import { ENDING_STATES, type Ending } from '../document/mail-announcement.ts';

const Announcement = z.object({
  task: z.literal('announce'),
  documentId: z.string(),
  round: z.number(),
  news: z.enum(['Pending', ...ENDING_STATES]),
});

const CALLS = ['Invitation', 'Reminder', 'RequestedReminder'] as const;

/** Tells one person that an action waits for them. */
const CallToAct = z.object({
  task: z.literal('call'),
  documentId: z.string(),
  kind: z.enum(CALLS),
  actionId: z.string(),
  personId: z.string(),
  /** Reminders are counted from 1; automatic ones and those that an application asks for apart. */
  number: z.number(),
});

/** Tells one address how a document ended. */
const EndNotice = z.object({
  task: z.literal('end'),
  documentId: z.string(),
  ending: z.enum(ENDING_STATES),
  round: z.number(),
  address: z.string(),
});

/** Tells who sent a document that a message to act did not reach its person. */
const Undelivered = CallToAct.extend({ task: z.literal('undelivered') });

/** Sends the holder of a link a code. */
const CodeMail = z.object({
  task: z.literal('code'),
  documentId: z.string(),
  /** Of the ticket. */
  hash: z.string(),
  requestedAtMs: z.number(),
  /** To sign. Without it, to open the document. */
  purpose: z.literal('signature').optional(),
});

/** Finds the documents of an organization that wait for one address, and reminds of each. */
const PendingSearch = z.object({
  task: z.literal('pending'),
  organizationId: z.string(),
  address: z.string(),
  /** Where the search goes on, and how many it has reminded of. */
  cursor: z.string().optional(),
  told: z.number(),
});

/** What the mail queue carries. No message of it has a link or a code: both are made when the mail is. */
export const MailTask = z.discriminatedUnion('task', [
  Announcement,
  CallToAct,
  EndNotice,
  Undelivered,
  CodeMail,
  PendingSearch,
  MemberMail,
]);

export type Announcement = z.infer<typeof Announcement>;
export type CallToAct = z.infer<typeof CallToAct>;
export type EndNotice = z.infer<typeof EndNotice>;
export type Undelivered = z.infer<typeof Undelivered>;
export type CodeMail = z.infer<typeof CodeMail>;
export type PendingSearch = z.infer<typeof PendingSearch>;
export type PersonTask = CallToAct | EndNotice | Undelivered | CodeMail;

/** The message of a task, by its document and its name there. A new version has other action ids and another round. */
export const mailIdOf = (task: PersonTask): MailId => ({ about: task.documentId, name: nameOf(task) });

function nameOf(task: PersonTask): string {
  if (task.task === 'call') return callNameOf(task);
  if (task.task === 'undelivered') return `Undelivered/${callNameOf(task)}`;
  if (task.task === 'end') return `${task.ending}/${task.round}/0/${task.address}`;
  return `${task.purpose ? 'SigningCode' : 'Code'}/${task.hash}/${task.requestedAtMs}`;
}

const callNameOf = ({ kind, actionId, number, personId }: Omit<CallToAct, 'task'>): string =>
  `${kind}/${actionId}/${number}/${personId}`;

type Named =
  | { readonly kind: 'Invitation' | 'Reminder'; readonly actionId: string; readonly personId: string }
  | { readonly kind: Ending; readonly address: string };

/** What a name says; undefined for a message that is not shown. */
export function readMailName(name: string): Named | undefined {
  const [, kind = '', at = '', whom = ''] = /^(\w+)\/([^/]+)\/\d+\/(.*)$/s.exec(name) ?? [];
  const ending = ENDING_STATES.find((each) => each === kind);
  if (ending) return { kind: ending, address: whom };
  const call = CALLS.find((each) => each === kind);
  if (!call) return undefined;
  return { kind: call === 'Invitation' ? call : 'Reminder', actionId: at, personId: whom };
}
