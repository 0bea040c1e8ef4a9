import { setTimeout as pause } from 'node:timers/promises';
import { Refusal } from '../../../../shared/errors/errors.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';
import { inTime } from './deadline.ts';
import { closeDispatch, markArrived, type StoredDispatch } from './dispatch.ts';
import type { Pdf } from './incoming.ts';
import {
  cancelDocument,
  completeSignature,
  isConcluded,
  startSignature,
  statusOf,
  type ToSign,
} from './platform.ts';
import { PlatformRefused, PlatformUnreachable } from './platform-call.ts';
import { refusalOf, type SentDocument, sendDocument, type Upload, uploadPdf } from './send-document.ts';
import { withSignerSlot } from './signer-slots.ts';
import { isOver, type SigningCall } from './signing-call.ts';

/** Signs one document and gives its id at the signature service. */
export const signPdf = (pdf: Pdf, call: SigningCall): Promise<string> =>
  withSignerSlot(call.signer.cpf, call.deadlineAtMs, async () =>
    signed(await uploadPdf(pdf, call.deadlineAtMs), call),
  );

// Files of forms that are still arriving take turns with the signers, as one.
const FILES_AHEAD = 'files ahead';

/** The same in two steps: the file first … */
export const uploadAhead = (pdf: Pdf, deadlineAtMs: number): Promise<Upload> =>
  withSignerSlot(FILES_AHEAD, deadlineAtMs, () => uploadPdf(pdf, deadlineAtMs));

/** … then what is made of it. */
export const signUpload = (sent: Upload, call: SigningCall): Promise<string> =>
  withSignerSlot(call.signer.cpf, call.deadlineAtMs, () => signed(sent, call));

async function signed(sent: Upload, call: SigningCall): Promise<string> {
  call.key.refuseIfLost();
  const { documentId, dispatch } = await sendDocument(sent, call);
  await sign({ documentId, dispatch: await noted(documentId, dispatch, call) }, call);
  call.accepted();
  return documentId;
}

// Not knowing its id later, the sweeper looks for it by its tag.
async function noted(
  documentId: string,
  dispatch: StoredDispatch,
  { log }: SigningCall,
): Promise<StoredDispatch> {
  return markArrived(dispatch, documentId).catch((error: unknown) => {
    log.warn('That a document has arrived was not recorded.', { documentId, error });
    return dispatch;
  });
}

// From here on the document is at the service, and whatever happens is read there and in the audit trail. One thing is
// still told: that the time was over before the key had signed anything, so that nothing was signed.
async function sign(arrived: SentDocument, call: SigningCall): Promise<void> {
  const { certificate, key, keyUsed, deadlineAtMs, log } = call;
  const { documentId, dispatch } = arrived;
  let signature: Buffer | undefined;
  try {
    const toSign = await startSignature(documentId, certificate.der, deadlineAtMs);
    if (!toSign) throw notAccepted('certificate');
    signature = await inTime(key.sign(toSign.hash, deadlineAtMs), deadlineAtMs);
    keyUsed();
    if (!(await completed(documentId, toSign, signature, deadlineAtMs))) throw notAccepted('signature');
    call.note({ signatureId: documentId, outcome: 'ok' });
  } catch (error) {
    const { outcome, reason } = causeOf(error, signature ? Number.POSITIVE_INFINITY : deadlineAtMs);
    log.warn('A document that reached the signature service was not signed.', {
      documentId,
      outcome,
      error,
    });
    const isUnknown = signature !== undefined && !(error instanceof PlatformRefused);
    // It may have been taken: the sweeper looks before it cancels, and tells the audit trail.
    if (!isUnknown) await giveUp(arrived, reason, call);
    if (outcome === 'SIGN_TIMEOUT' && !signature) throw errors.refuse('SIGN_TIMEOUT');
    call.note({ signatureId: documentId, outcome, reason });
    return;
  }
  await closeDispatch(dispatch).catch((error: unknown) => {
    log.warn('A dispatch was not closed; the sweeper does it.', { documentId, error });
  });
}

const notAccepted = (what: 'certificate' | 'signature'): PlatformRefused =>
  new PlatformRefused(422, 'NotAccepted', `The ${what} was not accepted.`);

/** Why a document was not signed: a code of ours, and a text. */
function causeOf(
  error: unknown,
  deadlineAtMs: number,
): { readonly outcome: string; readonly reason: string } {
  const refusal = refusalOf(error, deadlineAtMs);
  if (!(refusal instanceof Refusal))
    return { outcome: 'INTERNAL_ERROR', reason: 'It failed unexpectedly; the log tells.' };
  const { code, message, details } = refusal;
  const account = details?.message ?? details?.reason ?? message;
  return { outcome: isOver(deadlineAtMs) ? 'SIGN_TIMEOUT' : code, reason: String(account) };
}

const COMPLETE_TRIES = 3;
const TRY_AGAIN_MS = 300;

/** Hands the signature over. One that the service could not take at the moment is worth a second try: it is made. */
async function completed(
  documentId: string,
  { token }: ToSign,
  signature: Buffer,
  deadlineAtMs: number,
): Promise<boolean> {
  // What is signed is not lost for want of a moment.
  const untilMs = Math.max(deadlineAtMs, Date.now() + settings['Signer:RequestTimeout'] * 1000);
  for (let tries = 1; ; tries++) {
    try {
      return await completeSignature(documentId, token, signature, untilMs);
    } catch (error) {
      // Refused after the answer to an earlier try was lost: that one may have been taken.
      if (error instanceof PlatformRefused && tries > 1)
        return isConcluded(await statusOf(documentId, untilMs));
      const isHopeless = !(error instanceof PlatformUnreachable) || tries >= COMPLETE_TRIES;
      if (isHopeless || Date.now() + TRY_AGAIN_MS >= deadlineAtMs) throw error;
      await pause(TRY_AGAIN_MS * tries);
    }
  }
}

/** Cancels the document there, so that a fetch says how it ended. What does not succeed, the sweeper does. */
async function giveUp(
  { documentId, dispatch }: SentDocument,
  reason: string,
  { log }: SigningCall,
): Promise<void> {
  try {
    await cancelDocument(documentId, reason);
    await closeDispatch(dispatch);
  } catch (error) {
    log.warn('A document could not be canceled; it is tried again later.', { documentId, error });
  }
}
