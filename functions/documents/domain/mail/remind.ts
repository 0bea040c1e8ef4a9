import type { Caller } from '../../../../shared/access/caller.ts';
import { errors } from '../../errors.ts';
import { type Document, requireVisible } from '../document/document.ts';
import { sendsMail } from '../document/mail-announcement.ts';
import { actionNotAwaited } from '../flow/actions.ts';
import { type Assignment, openAssignments, partIdOf } from '../flow/flow.ts';
import { readOrganization } from '../places/organization.ts';
import { isOpenFor, requireOpen } from '../signing/acting.ts';
import { readWithTraces, type WithTraces } from './document-mails.ts';
import { type CallToAct, readMailName } from './mail-tasks.ts';
import { recordCalls } from './send-mail.ts';

type ReminderRequest = { readonly documentId: string; readonly flowActionId: string };

/** How long nobody is reminded after another reminder. */
const MIN_PAUSE_MS = 60 * 60_000;

/**
 * Reminds the people whom an action waits for, each with a new link. An invitation holds back no reminder: who asks for one
 * may have revoked the link, or know that the mail is lost.
 */
export async function remindFlowAction(
  caller: Pick<Caller, 'registered'>,
  { documentId, flowActionId }: ReminderRequest,
  now: () => number,
): Promise<void> {
  const nowMs = now();
  const { document: stored, mails } = await readWithTraces(documentId);
  const { document } = await requireVisible(caller, documentId, stored);
  requireOpen(document, 'acted', nowMs);
  const awaited = openAssignments(document.flow).filter(({ action }) => action.id === flowActionId);
  if (awaited.length === 0) throw actionNotAwaited(document.flow, { flowActionId });
  if (!sendsMail(await readOrganization(document.organizationId))) throw errors.refuse('MailNotEnabled');
  if (document.silence === 'all') throw errors.refuse('NotificationsDisabled', { documentId });
  const reachable = awaited.filter(({ person }) => person.emailAddress !== null);
  if (reachable.length === 0) throw errors.refuse('EmailAddressRequired', { flowActionId });
  const calls = reachable.map((each) => ({ ...each, ...callsSoFar(each, mails) }));
  const due = calls.filter(({ remindedMs }) => isDue(remindedMs, nowMs));
  if (due.length === 0) throw tooSoon(Math.min(...calls.map(({ remindedMs }) => remindedMs)), nowMs);
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
    .map((each) => ({ each, ...callsSoFar(each, mails) }))
    .filter(({ calledMs }) => isDue(calledMs, nowMs));
  await recordCalls(
    due.map(({ each, requested }) => reminderOf(document, each, requested)),
    now,
  );
  return due.length;
}

/**
 * When somebody was last called to act, and last reminded; 0 is never. A message that was given up told nobody. One that waits
 * on the queue has no record yet.
 */
function callsSoFar({ action, person }: Assignment, mails: WithTraces['mails']) {
  const theirs = mails.flatMap(({ name, state, createdAtMs }) => {
    const named = readMailName(name);
    const isTheirs =
      named && 'actionId' in named && named.actionId === action.id && named.personId === partIdOf(person);
    return isTheirs ? [{ name, kind: named.kind, atMs: state === 'failed' ? 0 : createdAtMs }] : [];
  });
  const lastOf = (calls: typeof theirs): number => Math.max(0, ...calls.map(({ atMs }) => atMs));
  return {
    calledMs: lastOf(theirs),
    remindedMs: lastOf(theirs.filter(({ kind }) => kind === 'Reminder')),
    requested: theirs.filter(({ name }) => name.startsWith('RequestedReminder/')).length,
  };
}

function tooSoon(lastMs: number, nowMs: number) {
  const retryAfterSeconds = Math.ceil((lastMs + MIN_PAUSE_MS - nowMs) / 1000);
  const headers = { 'retry-after': String(retryAfterSeconds) };
  return errors.refuse('TooManyRequests', { retryAfterSeconds }, { headers });
}
