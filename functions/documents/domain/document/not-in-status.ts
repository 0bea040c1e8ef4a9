import { errors } from '../../errors.ts';
import type { Document } from './document.ts';
import type { DocumentEvent } from './document-states.ts';

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
export const notIn = ({ id: documentId }: Pick<Document, 'id'>, status: string, event: DocumentEvent) =>
  errors.refuse('InvalidDocumentStatus', { documentId, status, operation: OPERATIONS[event] });
