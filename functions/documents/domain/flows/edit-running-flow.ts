import type { Caller } from '../../../../shared/access/caller.ts';
import { keepingAnswer } from '../../../../shared/store/kept-answers.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import type { FlowEditRequest } from '../../contract/flows/flow-edit.ts';
import { errors } from '../../errors.ts';
import { requireElectronicPossible } from '../creating/require-electronic.ts';
import { pointingTo, unpointing } from '../document/action-pointers.ts';
import { changeDocument } from '../document/change-document.ts';
import { authorOf, type Document, type FlowEdit, findLocatedDocument } from '../document/document.ts';
import { editObservers } from '../document/observers.ts';
import { editFlow } from '../flow/edit.ts';
import { type Flow, isCompleted, type Mark, requiredSignatures } from '../flow/flow.ts';
import { requireXml } from '../flow/xml-options.ts';
import { requireOpen } from '../signing/acting.ts';
import { placeOnDocument } from '../signing/place-marks.ts';
import { taskMessage } from '../tasks.ts';

/** Nobody is rectified: there is no directory of users. */
const EDITED = { rectifiedParticipants: [] };

// An edit beside a signature of an action that it removes:
//
//   sign  |--start-------- complete: file written ---- commit: refused, the action is gone --|
//   edit           |--reads---------- commit: version 7 -> 8 --|
//
//   sign  |--start-------- complete: file written -- commit: version 7 -> 8 --|
//   edit                        |--reads-- commit: refused; reads again: somebody has acted, refused --|
//
// Both write the document on the version that they read, so that one of them is first, and the other decides on what the
// first has left. Links and started signatures name an action and a part of it: those that are gone open nothing.

/** Changes who takes part in a pending document. All of the edit is done, or none of it. */
export const editRunningFlow = (
  caller: Caller,
  id: string,
  request: FlowEditRequest,
  nowMs: number,
): Promise<typeof EDITED> =>
  retryOnConflict(async () => {
    const { document } = await findLocatedDocument(caller, id);
    requireOpen(document, 'edited', nowMs);
    const placed = placeEditMarks(document, request);
    const { flow, ...actions } = editFlow(document.flow, placed, document.organizationId, nowMs);
    const { observers, ...others } = editObservers(document, request);
    requireRoom(document, flow);
    const added = withoutThose(flow, document.flow);
    await requireElectronicPossible(added, document.organizationId, [document], nowMs);
    requireXml(added, {
      ...{ formats: [document.format], namespaces: document.xmlNamespaces ?? {}, field: 'addedFlowActions' },
    });
    const edit: FlowEdit = {
      by: authorOf(caller),
      atMs: nowMs,
      added: [...actions.added, ...others.added],
      changed: [...actions.changed, ...others.changed],
      removed: [...actions.removed, ...others.removed],
    };
    const isNothing = [edit.added, edit.changed, edit.removed].every(({ length }) => length === 0);
    if (isNothing) return EDITED;
    const flowEdits = [...(document.flowEdits ?? []), edit];
    refuseTooLarge({ ...document, flow, observers, flowEdits });
    const isLast = isCompleted(flow);
    await changeDocument(document, {
      event: isLast ? 'completed' : 'edited',
      patch: { flow, observers, flowEdits },
      also: [
        ...unpointing({ flow: withoutThose(document.flow, flow) }),
        ...pointingTo({ id, flow: added }),
        ...(await keepingAnswer(EDITED)),
        ...(isLast ? [taskMessage({ task: 'conclude', documentId: id })] : []),
      ],
      nowMs,
    });
    return EDITED;
  });

const withoutThose = (flow: Flow, others: Flow): Flow =>
  flow.filter(({ id }) => !others.some((other) => other.id === id));

/** The edit with its marks on the pages of the document. Refused where one is on a file that the document does not have. */
function placeEditMarks(document: Document, request: FlowEditRequest): FlowEditRequest {
  const { addedFlowActions, editedFlowActions } = request;
  const place = (field: keyof FlowEditRequest, marks: readonly Mark[] | null | undefined) =>
    placeOnDocument(marks ?? [], document, `${field}.prePositionedMarks`);
  return {
    ...request,
    addedFlowActions: addedFlowActions?.map((action) => ({
      ...action,
      prePositionedMarks: place('addedFlowActions', action.prePositionedMarks),
    })),
    editedFlowActions: editedFlowActions?.map((action) => ({
      ...action,
      prePositionedMarks: place('editedFlowActions', action.prePositionedMarks),
    })),
  };
}

/** Refuses a further signature where the only one of the flow is made already: it left no room in the XML. */
function requireRoom({ format, signed, flow: before }: Document, after: Flow): void {
  if (format !== 'XAdES' || signed === null) return;
  if (requiredSignatures(before) > 1 || requiredSignatures(after) <= 1) return;
  // Beside an element that was signed another one may be.
  if (before.some(({ xml }) => xml?.element)) return;
  throw errors.refuse('InvalidFlowAction', {
    reason:
      'The only signer of the flow has signed the XML, and a further signature would break that one. Create a new version.',
  });
}

// An item of the table holds 400 KB: the flow, and the completions that it will record.
const MAX_BYTES = 120_000;

function refuseTooLarge({ flow, observers, flowEdits }: Document): void {
  const bytes = Buffer.byteLength(JSON.stringify([flow, observers, flowEdits]));
  if (bytes > MAX_BYTES)
    throw errors.refuse('InvalidRequest', {
      field: 'addedFlowActions',
      reason: 'are too large, with the flow and the record of its edits, to be stored as one document',
    });
}
