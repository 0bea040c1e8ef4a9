import type { Caller } from '../../../../shared/access/caller.ts';
import { errors } from '../../errors.ts';
import { type Document, requireVisible } from '../document/document.ts';
import { sendsMail } from '../document/mail-announcement.ts';
import { actionNotAwaited } from '../flow/actions.ts';
import { type Assignment, openAssignments, partIdOf } from '../flow/flow.ts';
import { isOpenFor, requireOpen } from '../signing/acting.ts';
import { readWithTraces, type WithTraces } from './document-mails.ts';
import { type CallToAct, readMailName } from './mail-tasks.ts';
import { recordCalls } from './send-mail.ts';

type ReminderRequest = { readonly documentId: string; readonly flowActionId: string };

/** How long nobody is reminded after a message to act. */
const MIN_PAUSE_MS = 60 * 60_000;

/** Reminds the people whom an action waits for, each with a new link. */
export async function remindFlowAction(
  caller: Pick<Caller, 'registered'>,
  { documentId, flowActionId }: ReminderRequest,
  now: () => number,
): Promise<void> {
  const nowMs = now();
  const { document: stored, mails } = await readWithTraces(documentId);
  const { document, location } = await requireVisible(caller, documentId, stored);
  requireOpen(document, 'acted', nowMs);
  const awaited = openAssignments(document.flow).filter(({ action }) => action.id === flowActionId);
  if (awaited.length === 0) throw actionNotAwaited(document.flow, { flowActionId });
  if (!sendsMail(location.organization)) throw errors.refuse('MailNotEnabled');
  if (document.silence === 'all') throw errors.refuse('NotificationsDisabled', { documentId });
  const reachable = awaited.filter(({ person }) => person.emailAddress !== null);
  if (reachable.length === 0) throw errors.refuse('EmailAddressRequired', { flowActionId });
  const calls = reachable.map((each) => ({ ...each, ...callsSoFar(document, each, mails) }));
  const due = calls.filter(({ lastMs }) => isDue(lastMs, nowMs));
  if (due.length === 0) throw tooSoon(Math.min(...calls.map(({ lastMs }) => lastMs)), nowMs);
  await recordCalls(
    due.map((each) => reminderOf(document, each, each.requested)),
    now,
  );
}

const isDue = (lastMs: number, nowMs: number): boolean => lastMs + MIN_PAUSE_MS <= nowMs;

const reminderOf = (
  { id: documentId }: Document,
  { action, person }: Assignment,
  requested: number,
): CallToAct => ({
  ...{ task: 'call', kind: 'RequestedReminder', documentId, actionId: action.id },
  ...{ personId: partIdOf(person), number: requested + 1 },
});

/**
 * Reminds whoever has this address of what a document waits for; nobody who got a message to act within the hour. Answers
 * how many were reminded.
 */
export async function remindAddress(documentId: string, address: string, now: () => number): Promise<number> {
  const nowMs = now();
  const { document, mails } = await readWithTraces(documentId);
  if (!document || document.silence === 'all' || !isOpenFor(document, 'acted', nowMs)) return 0;
  const due = openAssignments(document.flow)
    .filter(({ person }) => person.emailAddress?.toLowerCase() === address.toLowerCase())
    .map((each) => ({ each, ...callsSoFar(document, each, mails) }))
    .filter(({ lastMs }) => isDue(lastMs, nowMs));
  await recordCalls(
    due.map(({ each, requested }) => reminderOf(document, each, requested)),
    now,
  );
  return due.length;
}

/** When the last message to act was made, and how many reminders were asked for. The invitation may still be on its way. */
function callsSoFar({ silence }: Document, { action, person }: Assignment, mails: WithTraces['mails']) {
  const theirs = mails.filter(({ name }) => {
    const named = readMailName(name);
    return (
      named && 'actionId' in named && named.actionId === action.id && named.personId === partIdOf(person)
    );
  });
  const invitedMs = silence === undefined ? (action.pendingSinceMs ?? 0) : 0;
  return {
    lastMs: Math.max(invitedMs, ...theirs.map(({ createdAtMs }) => createdAtMs)),
    requested: theirs.filter(({ name }) => name.startsWith('RequestedReminder/')).length,
  };
}

function tooSoon(lastMs: number, nowMs: number) {
  const retryAfterSeconds = Math.ceil((lastMs + MIN_PAUSE_MS - nowMs) / 1000);
  const headers = { 'retry-after': String(retryAfterSeconds) };
  return errors.refuse('TooManyRequests', { retryAfterSeconds }, { headers });
}
