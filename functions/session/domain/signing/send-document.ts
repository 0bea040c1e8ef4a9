import { PlatformRefused, PlatformUnreachable } from '../../../../shared/platform/errors.ts';
import type { Upload } from '../../../../shared/platform/uploads.ts';
import { errors } from '../../errors.ts';
import { type Deadline, isOver } from '../deadline.ts';
import { cancelDispatched, type StoredDispatch } from './dispatch.ts';
import type { Pdf } from './incoming.ts';
import { createDocument, platform } from './platform.ts';
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

/**
 * Creates the document of an upload. Until it exists at the platform, its failures are reported to the caller. The
 * sweeper cancels a document that arrives after its failure.
 */
export async function sendDocument(
  upload: Upload,
  dispatch: StoredDispatch,
  { signer, deadline, closeDispatch }: SigningCall,
): Promise<SentDocument> {
  try {
    return { documentId: await createDocument(upload, signer, dispatch, deadline), dispatch };
  } catch (error) {
    const isEnded =
      error instanceof PlatformRefused || (isOver(deadline) && (await cancelIfSent(dispatch, deadline.now)));
    if (isEnded) closeDispatch(dispatch);
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
