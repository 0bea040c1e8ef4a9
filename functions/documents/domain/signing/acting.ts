import type { Write } from '../../../../shared/store/write.ts';
import { counting } from '../billing/usage.ts';
import type { DocumentChange } from '../document/change-document.ts';
import { type Document, isExpired } from '../document/document.ts';
import { type DocumentEvent, documentStates, notInStatus } from '../document/document-states.ts';
import { approvedNotification, signedNotification } from '../document/notifications.ts';
import { completeAction } from '../flow/actions.ts';
import { type Completion, type FlowAction, isCompleted, kindOf } from '../flow/flow.ts';
import { taskMessage } from '../tasks.ts';

type Operation = 'acted' | 'refused';

/** Whether somebody may still act on the document. */
export const isOpenFor = (document: Document, operation: Operation, nowMs: number): boolean =>
  documentStates.allows(document.state, operation) && !isExpired(document, nowMs);

/** Refuses where nobody acts any more. `wanted` is what the caller asked for, where that is more than the act itself. */
export function requireOpen(
  document: Document,
  operation: Operation,
  nowMs: number,
  wanted: DocumentEvent = operation,
): void {
  if (isOpenFor(document, operation, nowMs)) return;
  const status = documentStates.allows(document.state, operation) ? 'Expired' : document.state;
  throw notInStatus(document, status, wanted);
}

const TRANSACTIONS = { signature: 'Signature', approval: 'Approval' } as const;

/** The change that a signature or an approval makes to a document, the last one's consequences included. */
export function actChange(
  document: Document,
  action: FlowAction,
  completion: Completion,
  more: { readonly patch?: DocumentChange['patch']; readonly also?: readonly Write[] } = {},
): DocumentChange {
  const { id: documentId, organizationId } = document;
  const flow = completeAction(document.flow, action.id, completion);
  const isLast = isCompleted(flow);
  const kind = kindOf(action);
  const notice = kind === 'signature' ? signedNotification : approvedNotification;
  return {
    event: isLast ? 'completed' : 'acted',
    patch: { ...more.patch, flow },
    notifications: [notice(action, completion)],
    also: [
      ...(more.also ?? []),
      counting(organizationId, TRANSACTIONS[kind], completion.atMs),
      ...(isLast ? [taskMessage({ task: 'conclude', documentId })] : []),
    ],
    nowMs: completion.atMs,
  };
}
