import { PlatformRefused, PlatformUnreachable } from '../../../../shared/platform/errors.ts';
import type { Upload } from '../../../../shared/platform/uploads.ts';
import { errors } from '../../errors.ts';
import { type Deadline, isOver } from '../deadline.ts';
import { cancelDispatched, type StoredDispatch } from './dispatch.ts';
import type { Pdf } from './incoming.ts';
import { createDocument, findDispatched, platform } from './platform.ts';
import type { SigningCall } from './signing-call.ts';

/** Uploads a file. The platform collects an upload from which no document is created. */
export async function uploadPdf(pdf: Pdf, deadline: Deadline): Promise<Upload> {
  try {
    return await platform.uploadFile(pdf, deadline);
  } catch (error) {
    throw toRefusal(error, deadline);
  }
}

export type SentDocument = { readonly documentId: string; readonly dispatch: StoredDispatch };

// The platform's answer may be lost on its way:
//
//   session   |--dispatch--create-- no answer --|--is there a document with this dispatch's tag?--|  yes: go on; no: refuse
//   platform          |--creates it--|
//
// Only report failure if the platform has no such document. The sweeper cancels a document that arrives after the search.

/** Creates the document of an upload. Until it exists at the platform, its failures are reported to the caller. */
export async function sendDocument(
  upload: Upload,
  dispatch: StoredDispatch,
  { signer, deadline, closeDispatch }: SigningCall,
): Promise<SentDocument> {
  try {
    const documentId = await createDocument({ upload, signer, dispatch }, deadline);
    return { documentId, dispatch };
  } catch (error) {
    if (error instanceof PlatformRefused) closeDispatch(dispatch);
    else if (isOver(deadline)) {
      if (await cancelIfSent(dispatch, deadline.now)) closeDispatch(dispatch);
    } else {
      const [documentId] = await findDispatched(dispatch, deadline).catch(() => []);
      if (documentId) return { documentId, dispatch };
    }
    throw toRefusal(error, deadline);
  }
}

// Best effort: the sweeper finds a document that cannot be looked up now, or arrives later.
async function cancelIfSent(dispatch: StoredDispatch, now: () => number): Promise<boolean> {
  const found = await cancelDispatched(dispatch, now).catch(() => []);
  return found.length > 0;
}

/** A failure of the platform as a refusal to the caller. Any other error is returned as it is. */
export function toRefusal(error: unknown, deadline: Deadline): unknown {
  if (error instanceof PlatformRefused)
    return errors.refuse('SIGNER_REJECTED', { code: error.code, message: error.message });
  if (!(error instanceof PlatformUnreachable)) return error;
  const code = isOver(deadline) ? 'SIGN_TIMEOUT' : 'SIGNER_ERROR';
  return errors.refuse(code, { reason: error.message });
}
