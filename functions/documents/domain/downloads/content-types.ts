import { errors } from '../../errors.ts';
import { type Document, type DocumentState, stateAt } from '../document/document.ts';

/** What of a document can be downloaded. */
export const CONTENT_TYPES = [
  'Original',
  'Signatures',
  'OriginalWithMarks',
  'PrinterFriendlyVersion',
  'SignaturesManifest',
] as const;
export type ContentType = (typeof CONTENT_TYPES)[number];

// What was signed of a document that came to nothing is not handed out: it would look as if it held.
const OF_ENDED: readonly ContentType[] = ['Original', 'PrinterFriendlyVersion'];

const AVAILABLE: Readonly<Record<DocumentState, readonly ContentType[]>> = {
  Pending: CONTENT_TYPES,
  FlowConcluded: CONTENT_TYPES,
  Concluded: CONTENT_TYPES,
  Refused: OF_ENDED,
  Canceled: OF_ENDED,
  Expired: OF_ENDED,
};

export const isAvailable = (
  type: ContentType,
  document: Pick<Document, 'state' | 'expiresAtMs' | 'signed'>,
  nowMs = Date.now(),
): boolean =>
  AVAILABLE[stateAt(document, nowMs)].includes(type) && (type !== 'Signatures' || document.signed !== null);

/** Refuses a content that the document does not have in its present status. */
export function checkAvailable(
  type: ContentType,
  document: Pick<Document, 'id' | 'state' | 'expiresAtMs' | 'signed'>,
): void {
  if (!isAvailable(type, document)) throw notAvailable(type, document);
}

export const notAvailable = (
  type: ContentType,
  { id, state }: Pick<Document, 'id' | 'state'>,
  reason?: string,
) => errors.refuse('ContentNotAvailable', { documentId: id, status: state, type, ...(reason && { reason }) });
