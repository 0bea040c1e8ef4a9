import type { Caller } from '../../../../shared/access/caller.ts';
import { errors } from '../../errors.ts';
import { type Document, requireVisible } from '../document/document.ts';
import { sendsMail } from '../document/mail-announcement.ts';
import { actionNotAwaited } from '../flow/actions.ts';
import { type Assignment, openAssignments } from '../flow/flow.ts';
import { requireOpen } from '../signing/acting.ts';
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
  const due = calls.filter(({ lastMs }) => lastMs + MIN_PAUSE_MS <= nowMs);
  if (due.length === 0) throw tooSoon(Math.min(...calls.map(({ lastMs }) => lastMs)), nowMs);
  const tasks = due.map(
    ({ person, requested }): CallToAct => ({
      ...{ task: 'call', kind: 'RequestedReminder', documentId, actionId: flowActionId },
      ...{ personId: person.id, number: requested + 1 },
    }),
  );
  await recordCalls(tasks, now);
}

/** When the last message to act was made, and how many reminders were asked for. The invitation may still be on its way. */
function callsSoFar({ silence }: Document, { action, person }: Assignment, mails: WithTraces['mails']) {
  const theirs = mails.filter(({ name }) => {
    const named = readMailName(name);
    return named && 'actionId' in named && named.actionId === action.id && named.personId === person.id;
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
