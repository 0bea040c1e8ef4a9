import { type EventOf, stateMachine } from '../../../../shared/store/state-machine.ts';
import { errors } from '../../errors.ts';

/**
 * The life of a document. `acted` is a signature or an approval after which others are still awaited; `completed` is
 * the last one; `addressed` changes who is told of the conclusion, `edited` who takes part. Concluded, Canceled and Expired are final; a Refused document may get a new version.
 */
export const documentStates = stateMachine({
  Pending: {
    acted: 'Pending',
    completed: 'FlowConcluded',
    refused: 'Refused',
    canceled: 'Canceled',
    expired: 'Expired',
    versioned: 'Pending',
    moved: 'Pending',
    addressed: 'Pending',
    edited: 'Pending',
  },
  FlowConcluded: { concluded: 'Concluded', moved: 'FlowConcluded', addressed: 'FlowConcluded' },
  Refused: { versioned: 'Pending', canceled: 'Canceled', moved: 'Refused', addressed: 'Refused' },
  Concluded: { moved: 'Concluded' },
  Canceled: { moved: 'Canceled' },
  Expired: { moved: 'Expired' },
});

export type DocumentEvent = EventOf<typeof documentStates>;

/** The operation that an event belongs to, as the caller knows it. */
const OPERATIONS: Record<DocumentEvent, string> = {
  acted: 'sign or approve',
  completed: 'sign or approve',
  refused: 'refuse',
  canceled: 'cancel',
  versioned: 'create a new version',
  moved: 'move',
  edited: 'edit the flow',
  addressed: 'change who is told of its conclusion',
  expired: 'expire',
  concluded: 'conclude',
};

/** The refusal of an operation that the document's status does not allow. */
export const notInStatus = (
  { id: documentId }: { readonly id: string },
  status: string,
  event: DocumentEvent,
) => errors.refuse('InvalidDocumentStatus', { documentId, status, operation: OPERATIONS[event] });
