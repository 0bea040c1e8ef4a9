import { retry } from '../../../../shared/async/retry.ts';
import { Refusal } from '../../../../shared/errors/errors.ts';
import { count } from '../../../../shared/metrics/count.ts';
import { isConcluded } from '../../../../shared/platform/documents.ts';
import { PlatformRefused, PlatformUnreachable } from '../../../../shared/platform/errors.ts';
import type { Upload } from '../../../../shared/platform/uploads.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';
import { type Deadline, inTime, isOver } from '../deadline.ts';
import { beginDispatch, type StoredDispatch } from './dispatch.ts';
import type { Pdf } from './incoming.ts';
import { cancelDocument, platform, requireSha256, startSignature } from './platform.ts';
import { type SentDocument, sendPdf, sendUpload, toRefusal, uploadPdf } from './send-document.ts';
import { withSignerSlot } from './signer-slots.ts';
import type { SigningCall } from './signing-call.ts';

/** Sends and signs one document. Returns its id at the platform. */
export const signPdf = (pdf: Pdf, call: SigningCall): Promise<string> =>
  withSignerSlot(call.signer.cpf, call.deadline, async () => {
    const { caller, correlationId, signer, deadline } = call;
    const request = { cpf: signer.cpf, correlationId };
    const dispatch = await beginDispatch(caller, request, deadline.now());
    return signSent(await sendPdf(pdf, dispatch, call), call);
  });

// The uploads of all unfinished forms share one turn among the signers.
const UNFINISHED_FORMS = 'files ahead';

/** Uploads a file while the rest of its form is still arriving. */
export const uploadAhead = (pdf: Pdf, deadline: Deadline): Promise<Upload> =>
  withSignerSlot(UNFINISHED_FORMS, deadline, () => uploadPdf(pdf, deadline));

/** Signs a file that was uploaded ahead. Returns the document's id at the platform. */
export async function signUpload(
  upload: Upload,
  dispatch: StoredDispatch,
  call: SigningCall,
): Promise<string> {
  let isBegun = false;
  try {
    return await withSignerSlot(call.signer.cpf, call.deadline, async () => {
      call.key.refuseIfLost();
      isBegun = true;
      return signSent(await sendUpload(upload, dispatch, call), call);
    });
  } catch (error) {
    if (!isBegun) call.closeDispatch(dispatch);
    throw error;
  }
}

async function signSent(sent: SentDocument, call: SigningCall): Promise<string> {
  await sign(sent, call);
  call.markAccepted();
  return sent.documentId;
}

/**
 * Signs a document that is at the platform. From here on a failure goes to the audit trail and the document is canceled
 * there; the caller learns of it when it fetches the document. One failure is still reported: SIGN_TIMEOUT before the
 * key has signed, because nothing was signed then.
 */
async function sign(sent: SentDocument, call: SigningCall): Promise<void> {
  const { certificate, key, deadline, log } = call;
  const { documentId, dispatch } = sent;
  let signature: Buffer | undefined;
  try {
    const toSign = sent.toSign
      ? requireSha256(sent.toSign)
      : await startSignature(documentId, certificate.der, deadline);
    if (!toSign) throw notAccepted('certificate');
    signature = await inTime(key.sign(toSign, deadline), deadline);
    call.markKeyUsed();
    if (!(await complete(documentId, { token: toSign.token, signature }, deadline)))
      throw notAccepted('signature');
    call.noteOutcome({ signatureId: documentId, outcome: 'ok' });
    count('Signatures', { Service: 'session', Format: 'Pades', Custody: key.custody });
  } catch (error) {
    const { outcome, reason } = causeOf(error, signature ? { ...deadline, atMs: NEVER } : deadline);
    log.warn('A document that reached the signature service was not signed.', {
      documentId,
      outcome,
      error,
    });
    // The platform may have taken the signature. The sweeper looks before it cancels, and writes the audit entry.
    const isUnknown = signature !== undefined && !(error instanceof PlatformRefused);
    if (isUnknown || !(await cancel(sent, reason, call))) call.leaveDispatch(dispatch, documentId);
    else call.closeDispatch(dispatch);
    if (outcome === 'SIGN_TIMEOUT' && !signature) throw errors.refuse('SIGN_TIMEOUT');
    call.noteOutcome({ signatureId: documentId, outcome, reason });
    return;
  }
  call.closeDispatch(dispatch);
}

const notAccepted = (what: 'certificate' | 'signature'): PlatformRefused =>
  new PlatformRefused(422, 'NotAccepted', `The ${what} was not accepted.`);

// Once the key has signed, no failure is a time-out.
const NEVER = Number.POSITIVE_INFINITY;

/** Why a document was not signed: an error code, and a text for the audit trail. */
function causeOf(error: unknown, deadline: Deadline): { readonly outcome: string; readonly reason: string } {
  const refusal = toRefusal(error, deadline);
  if (!(refusal instanceof Refusal))
    return { outcome: 'INTERNAL_ERROR', reason: 'It failed unexpectedly; see the log.' };
  const { code, message, details } = refusal;
  const account = details?.message ?? details?.reason ?? message;
  return { outcome: isOver(deadline) ? 'SIGN_TIMEOUT' : code, reason: String(account) };
}

const MAX_COMPLETE_ATTEMPTS = 3;
const PAUSE_MS = 300;

/** Delivers a signature, with retries: it is made, and only the platform did not take it at that moment. */
async function complete(
  documentId: string,
  proof: { readonly token: string; readonly signature: Buffer },
  { atMs, now }: Deadline,
): Promise<boolean> {
  // A signature just before the deadline still gets the time of one request.
  const extended = { atMs: Math.max(atMs, now() + settings['Signer:RequestTimeout'] * 1000), now };
  let attempts = 0;
  const deliver = async (attempt: number): Promise<boolean> => {
    attempts = attempt;
    return (await platform.completeSignature({ documentId }, proof, extended)).isAccepted;
  };
  try {
    return await retry(deliver, {
      maxAttempts: MAX_COMPLETE_ATTEMPTS,
      isRetryable: (error) => error instanceof PlatformUnreachable,
      pauseMs: (attempt) => PAUSE_MS * attempt,
      deadlineAtMs: atMs,
      now,
    });
  } catch (error) {
    // The answer to an earlier attempt was lost, and that attempt may have succeeded.
    if (error instanceof PlatformRefused && attempts > 1)
      return isConcluded(await platform.statusOf(documentId, extended));
    throw error;
  }
}

/** Cancels the document, so that a fetch says how it ended. The sweeper retries a cancellation that fails. */
async function cancel(
  { documentId }: SentDocument,
  reason: string,
  { log, deadline }: SigningCall,
): Promise<boolean> {
  try {
    await cancelDocument(documentId, reason, deadline.now);
    return true;
  } catch (error) {
    log.warn('A document could not be canceled; the sweeper tries again.', { documentId, error });
    return false;
  }
}
