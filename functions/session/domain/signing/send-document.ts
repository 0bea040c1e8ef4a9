import { Refusal } from '../../../../shared/errors/errors.ts';
import { PlatformRefused, PlatformUnreachable } from '../../../../shared/platform/errors.ts';
import type { ToSign } from '../../../../shared/platform/signatures.ts';
import type { Upload } from '../../../../shared/platform/uploads.ts';
import { errors } from '../../errors.ts';
import { type Deadline, isOver } from '../deadline.ts';
import { cancelDispatched, type StoredDispatch } from './dispatch.ts';
import type { Pdf } from './incoming.ts';
import { createDocument, createFromFile, platform } from './platform.ts';
import type { SigningCall } from './signing-call.ts';

/** Uploads a file. The platform collects an upload from which no document is created. */
export async function uploadPdf(pdf: Pdf, deadline: Deadline): Promise<Upload> {
  try {
    return await platform.uploadFile(pdf, deadline);
  } catch (error) {
    throw toRefusal(error, deadline);
  }
}

export type SentDocument = {
  readonly documentId: string;
  readonly dispatch: StoredDispatch;
  /** Of a signature that the platform has started with the document. */
  readonly toSign?: ToSign | undefined;
};

/** Creates the document of an upload. */
export const sendUpload = (
  upload: Upload,
  dispatch: StoredDispatch,
  call: SigningCall,
): Promise<SentDocument> =>
  sendDocument(dispatch, call, async ({ signer, deadline }) => ({
    documentId: await createDocument(upload, signer, dispatch, deadline),
  }));

/** Creates the document of a file, in one call with the start of its signature where the platform has such a call. */
export const sendPdf = (file: Pdf, dispatch: StoredDispatch, call: SigningCall): Promise<SentDocument> =>
  sendDocument(dispatch, call, ({ certificate, signer, deadline }) => {
    const upload = () => uploadPdf(file, deadline);
    return createFromFile({ file, certificateDer: certificate.der, upload }, signer, dispatch, deadline);
  });

/**
 * Until the document exists at the platform, its failures are reported to the caller. The sweeper cancels a document
 * that arrives after its failure.
 */
async function sendDocument(
  dispatch: StoredDispatch,
  call: SigningCall,
  create: (call: SigningCall) => Promise<Omit<SentDocument, 'dispatch'>>,
): Promise<SentDocument> {
  const { deadline, closeDispatch } = call;
  try {
    return { ...(await create(call)), dispatch };
  } catch (error) {
    // A refusal of our own is that of an upload, from which nothing was created.
    const isRefused = error instanceof PlatformRefused || error instanceof Refusal;
    const isEnded = isRefused || (isOver(deadline) && (await cancelIfSent(dispatch, deadline.now)));
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
