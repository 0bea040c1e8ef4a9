import type { Caller } from '../../../../shared/access/caller.ts';
import { keepingAnswer } from '../../../../shared/store/kept-answers.ts';
import { audit } from '../audit.ts';
import { signingDeadline } from '../deadline.ts';
import { requireActiveSession } from '../session.ts';
import { takeUpload } from '../uploads/upload.ts';
import { type IncomingDocument, type NamedUpload, requirePdf } from './incoming.ts';
import { signPdf } from './sign-at-platform.ts';
import { beginSigningCall, type SigningRequest } from './signing-call.ts';

export type SignDocumentRequest = SigningRequest & {
  readonly sessionId: string;
  readonly document: IncomingDocument | NamedUpload;
};

export type AcceptedDocument = {
  readonly signatureId: string;
  readonly status: 'PROCESSING';
  readonly acceptedAt: string;
};

export const acceptedAs = (signatureId: string, nowMs: number): AcceptedDocument => ({
  ...{ signatureId, status: 'PROCESSING', acceptedAt: new Date(nowMs).toISOString() },
});

/** Signs one document under a session. */
export async function signDocument(
  caller: Caller,
  { sessionId, document, correlationId, ...times }: SignDocumentRequest,
  now: () => number,
): Promise<AcceptedDocument> {
  const deadline = signingDeadline(times, now);
  const session = await requireActiveSession(sessionId, now());
  const subject = { caller, correlationId, operation: 'signature.create', cpf: session.cpf } as const;
  return audit(subject, now, async (record) => {
    const owner = { caller, sessionId };
    const taken = 'uploadId' in document ? await takeUpload(owner, document.uploadId, now()) : undefined;
    try {
      const pdf = requirePdf(taken ?? (document as IncomingDocument));
      const call = await beginSigningCall(caller, session, { correlationId, record, deadline });
      try {
        const accepted = acceptedAs(await signPdf(pdf, call), now());
        record.addFirst(await keepingAnswer(accepted));
        await taken?.remove();
        return accepted;
      } finally {
        call.settle();
      }
    } catch (error) {
      await taken?.giveBack();
      throw error;
    }
  });
}
