import type { Write } from '../../../../shared/store/write.ts';
import { counting } from '../billing/usage.ts';
import type { Change } from '../document/change-document.ts';
import { type Document, isOver } from '../document/document.ts';
import { type DocumentEvent, documentStates, notIn } from '../document/document-states.ts';
import { approvedNotice, signedNotice } from '../document/notifications.ts';
import { completed } from '../flow/actions.ts';
import { type Completion, type FlowAction, isCompleted, kindOf } from '../flow/flow.ts';
import { doing } from '../tasks.ts';

type Operation = 'acted' | 'refused';

/** Whether somebody may still act on the document. */
export const isOpen = (document: Document, operation: Operation, nowMs: number): boolean =>
  documentStates.allows(document.state, operation) && !isOver(document, nowMs);

/** Refuses where nobody acts any more. `wanted` is what the caller asked for, where that is more than the act itself. */
export function refuseUnlessOpen(
  document: Document,
  operation: Operation,
  nowMs: number,
  wanted: DocumentEvent = operation,
): void {
  if (isOpen(document, operation, nowMs)) return;
  const status = documentStates.allows(document.state, operation) ? 'Expired' : document.state;
  throw notIn(document, status, wanted);
}

const COUNTED = { signature: 'Signature', approval: 'Approval' } as const;

/** The change that a signature or an approval makes to a document, the last one's consequences included. */
export function actOf(
  document: Document,
  action: FlowAction,
  completion: Completion,
  more: { readonly patch?: Change['patch']; readonly also?: readonly Write[] } = {},
): Change {
  const { id: documentId, organizationId } = document;
  const flow = completed(document.flow, action.id, completion);
  const isLast = isCompleted(flow);
  const kind = kindOf(action);
  const notice = kind === 'signature' ? signedNotice : approvedNotice;
  return {
    event: isLast ? 'completed' : 'acted',
    patch: { ...more.patch, flow },
    notices: [notice(action, completion)],
    also: [
      ...(more.also ?? []),
      counting(organizationId, COUNTED[kind], completion.atMs),
      ...(isLast ? [doing({ task: 'conclude', documentId })] : []),
    ],
    nowMs: completion.atMs,
  };
}
