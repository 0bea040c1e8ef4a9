import { errors } from '../../errors.ts';
import { cancelDispatched } from './cancel-dispatched.ts';
import { beginDispatch, closeDispatch, type StoredDispatch } from './dispatch.ts';
import type { Pdf } from './incoming.ts';
import { createDocument, findDispatched, uploadFile } from './platform.ts';
import { PlatformRefused, PlatformUnreachable } from './platform-call.ts';
import { isOver, type SigningCall } from './signing-call.ts';

/** A file at the signature service that no document is made of yet. One that stays so is collected there. */
export type Upload = { readonly uploadId: string; readonly fileName: string };

export async function uploadPdf({ bytes, fileName }: Pdf, deadlineAtMs: number): Promise<Upload> {
  try {
    return { uploadId: await uploadFile({ pdf: bytes, fileName, deadlineAtMs }), fileName };
  } catch (error) {
    throw refusalOf(error, deadlineAtMs);
  }
}

export type SentDocument = { readonly documentId: string; readonly dispatch: StoredDispatch };

// The service's answer may be lost on its way:
//
//   here      |--dispatch--create-- no answer --|--is one there with this dispatch's tag?--|  yes: go on; no: refused
//   service          |--makes it--|
//
// Refused as not asked is only what is not there. What arrives later than the question is the sweeper's.

/** Makes a document of the file. Until it is there a failure is the caller's to know. */
export async function sendDocument(
  sent: Upload,
  { signer, actor, deadlineAtMs }: SigningCall,
): Promise<SentDocument> {
  const dispatch = await beginDispatch(signer.cpf, actor, Date.now());
  try {
    const documentId = await createDocument({ ...sent, signer, dispatchId: dispatch.id, deadlineAtMs });
    return { documentId, dispatch };
  } catch (error) {
    if (error instanceof PlatformRefused) await closeDispatch(dispatch);
    else if (isOver(deadlineAtMs)) await cancelIfThere(dispatch);
    else {
      const [documentId] = await findDispatched(dispatch, deadlineAtMs).catch(() => []);
      if (documentId) return { documentId, dispatch };
    }
    throw refusalOf(error, deadlineAtMs);
  }
}

// Best effort: what cannot be asked now, or arrives later, the sweeper finds.
async function cancelIfThere(dispatch: StoredDispatch): Promise<void> {
  const found = await cancelDispatched(dispatch).catch(() => []);
  if (found.length > 0) await closeDispatch(dispatch);
}

/** What the platform's failure is to the caller; anything else stays what it is. */
export function refusalOf(error: unknown, deadlineAtMs: number): unknown {
  if (error instanceof PlatformRefused)
    return errors.refuse('SIGNER_REJECTED', { code: error.code, message: error.message });
  if (!(error instanceof PlatformUnreachable)) return error;
  const code = isOver(deadlineAtMs) ? 'SIGN_TIMEOUT' : 'SIGNER_ERROR';
  return errors.refuse(code, { reason: error.message });
}
