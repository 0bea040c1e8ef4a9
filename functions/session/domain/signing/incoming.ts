import { Refusal } from '../../../../shared/errors/errors.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';

/** A document as it arrived: its bytes, or why it cannot be taken. */
export type IncomingDocument = { readonly fileName: string; readonly content: Buffer | Refusal };

/** A document that can be signed. */
export type Pdf = { readonly fileName: string; readonly bytes: Buffer };

/** Refuses one that is empty, too large, or no PDF. */
export function requirePdf({ fileName, content: bytes }: IncomingDocument): Pdf {
  if (bytes instanceof Refusal) throw bytes;
  const limitBytes = settings['Signing:MaxDocumentBytes'];
  if (bytes.length === 0) throw errors.refuse('INVALID_DOCUMENT');
  if (bytes.length > limitBytes)
    throw errors.refuse('DOCUMENT_TOO_LARGE', { limitBytes, actualBytes: bytes.length });
  // Readers look for the mark in the first kilobyte.
  if (!bytes.subarray(0, 1024).includes('%PDF-')) throw errors.refuse('UNSUPPORTED_DOCUMENT');
  return { fileName, bytes };
}
