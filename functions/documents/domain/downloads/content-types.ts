import { CONTENT_TYPES, type ContentType } from '../../contract/downloads.ts';
import { errors } from '../../errors.ts';
import { type Document, type DocumentState, stateAt } from '../document/document.ts';

// The signed file of a refused, canceled or expired document is not given out: it would look valid.
const ENDED_CONTENTS: readonly ContentType[] = ['Original', 'PrinterFriendlyVersion'];

const AVAILABLE: Readonly<Record<DocumentState, readonly ContentType[]>> = {
  Pending: CONTENT_TYPES,
  FlowConcluded: CONTENT_TYPES,
  Concluded: CONTENT_TYPES,
  Refused: ENDED_CONTENTS,
  Canceled: ENDED_CONTENTS,
  Expired: ENDED_CONTENTS,
};

export const isAvailable = (
  type: ContentType,
  document: Pick<Document, 'state' | 'expiresAtMs' | 'signed'>,
  nowMs: number,
): boolean =>
  AVAILABLE[stateAt(document, nowMs)].includes(type) && (type !== 'Signatures' || document.signed !== null);

/** Refuses a content that the document does not have in its current status. */
export function requireAvailable(
  type: ContentType,
  document: Pick<Document, 'id' | 'state' | 'expiresAtMs' | 'signed'>,
  nowMs: number,
): void {
  if (!isAvailable(type, document, nowMs)) throw contentNotAvailable(type, document);
}

export const contentNotAvailable = (
  type: ContentType,
  { id, state }: Pick<Document, 'id' | 'state'>,
  reason?: string,
) => errors.refuse('ContentNotAvailable', { documentId: id, status: state, type, ...(reason && { reason }) });

type NamedDocument = Pick<Document, 'original' | 'format'>;

// Every content but the original has its own file name, so all of one document fit in one folder.
const SUFFIXES = {
  OriginalWithMarks: '-marked',
  PrinterFriendlyVersion: '-printable',
  SignaturesManifest: '-manifest',
} as const;

const EXTENSION = /\.[\p{L}\p{N}]{1,10}$/u;

/**
 * The file name of a content. A CAdES signature keeps the whole name of the file that it signs.
 * @example contentName('Signatures', document) // 'contrato-signed.pdf', or 'contrato.docx.p7s'
 */
export function contentName(type: ContentType, { original: { name }, format }: NamedDocument): string {
  if (type === 'Original') return name;
  if (type === 'Signatures' && format === 'CAdES') return `${name}.p7s`;
  const extension = EXTENSION.exec(name)?.[0] ?? '';
  const stem = name.slice(0, name.length - extension.length);
  if (type === 'Signatures') return `${stem}-signed${extension}`;
  return `${stem}${SUFFIXES[type]}.pdf`;
}
