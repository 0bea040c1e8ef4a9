import { type EventOf, stateMachine } from '../../../../shared/store/state-machine.ts';
import { errors } from '../../errors.ts';
import type { Document } from './document.ts';

/**
 * A document's life. `acted` is a signature or an approval that leaves others to be waited for; `completed` is
 * the last one. What is concluded, canceled or expired stays so; a refused one may come back as a new version.
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
  },
  FlowConcluded: { concluded: 'Concluded', moved: 'FlowConcluded' },
  Refused: { versioned: 'Pending', canceled: 'Canceled', moved: 'Refused' },
  Concluded: { moved: 'Concluded' },
  Canceled: { moved: 'Canceled' },
  Expired: { moved: 'Expired' },
});

export type DocumentEvent = EventOf<typeof documentStates>;

/** What a caller wants when an event is not possible, in the words of the operations. */
const OPERATIONS: Record<DocumentEvent, string> = {
  acted: 'sign or approve',
  completed: 'sign or approve',
  refused: 'refuse',
  canceled: 'cancel',
  versioned: 'create a new version',
  moved: 'move',
  expired: 'expire',
  concluded: 'conclude',
};

/** The refusal of what cannot be done to a document in this status. */
export const notInStatus = ({ id: documentId }: Pick<Document, 'id'>, status: string, event: DocumentEvent) =>
  errors.refuse('InvalidDocumentStatus', { documentId, status, operation: OPERATIONS[event] });
