import type { Write } from '../../../../shared/store/write.ts';
import { counting } from '../billing/usage.ts';
import type { DocumentChange } from '../document/change-document.ts';
import { type Document, stateAt } from '../document/document.ts';
import { documentStates, notInStatus } from '../document/document-states.ts';
import { approvedNotification, signedNotification } from '../document/notifications.ts';
import { completeAction } from '../flow/actions.ts';
import { type Completion, type FlowAction, isCompleted, kindOf } from '../flow/flow.ts';
import { taskMessage } from '../tasks.ts';

type Operation = 'acted' | 'refused' | 'canceled' | 'edited';

/** Whether the document allows the operation at this time. */
export const isOpenFor = (document: Document, operation: Operation, nowMs: number): boolean =>
  documentStates.accepts(stateAt(document, nowMs), operation);

/** Refuses an operation that the document does not allow at this time. */
export function requireOpen(document: Document, operation: Operation, nowMs: number): void {
  if (!isOpenFor(document, operation, nowMs))
    throw notInStatus(document, stateAt(document, nowMs), operation);
}

const transactionOf = (action: FlowAction, { evidence }: Completion) => {
  if (evidence) return 'ElectronicSignature';
  return kindOf(action) === 'signature' ? 'Signature' : 'Approval';
};

/** The change that a signature or an approval makes to a document. The last one also starts the conclusion. */
export function actChange(
  document: Document,
  action: FlowAction,
  completion: Completion,
  extra: { readonly patch?: DocumentChange['patch']; readonly also?: readonly Write[] } = {},
): DocumentChange {
  const { id: documentId, organizationId } = document;
  const flow = completeAction(document.flow, action.id, completion);
  const isLast = isCompleted(flow);
  const notificationOf = kindOf(action) === 'signature' ? signedNotification : approvedNotification;
  return {
    event: isLast ? 'completed' : 'acted',
    patch: { ...extra.patch, flow },
    notifications: [notificationOf(action, completion)],
    also: [
      ...(extra.also ?? []),
      counting(organizationId, transactionOf(action, completion), completion.atMs),
      ...(isLast ? [taskMessage({ task: 'conclude', documentId })] : []),
    ],
    nowMs: completion.atMs,
  };
}
