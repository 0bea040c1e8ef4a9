import { Refusal } from '../../../../shared/errors/errors.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';

/** A document as it arrived: its bytes, or the reason why they were not read. */
export type IncomingDocument = { readonly fileName: string; readonly content: Buffer | Refusal };

/** A document that was put into the store before. */
export type NamedUpload = { readonly uploadId: string };

/** A part of a batch, in the order of the form. */
export type IncomingPart =
  | { readonly sessionId: string }
  | { readonly document: IncomingDocument | NamedUpload };

export type Pdf = { readonly fileName: string; readonly bytes: Buffer };

// ISO 32000-1, annex H: readers accept the header within the first 1024 bytes.
const HEADER_WITHIN_BYTES = 1024;

/** Refuses a document that is empty, too large or not a PDF. Whether the PDF is well-formed is checked later. */
export function requirePdf({ fileName, content }: IncomingDocument): Pdf {
  if (content instanceof Refusal) throw content;
  const limitBytes = settings['Signing:MaxDocumentBytes'];
  if (content.length === 0) throw errors.refuse('INVALID_DOCUMENT');
  if (content.length > limitBytes)
    throw errors.refuse('DOCUMENT_TOO_LARGE', { limitBytes, actualBytes: content.length });
  if (!content.subarray(0, HEADER_WITHIN_BYTES).includes('%PDF-'))
    throw errors.refuse('UNSUPPORTED_DOCUMENT');
  return { fileName, bytes: content };
}
