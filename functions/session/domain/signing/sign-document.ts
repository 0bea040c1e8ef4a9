import type { Caller } from '../../../../shared/access/caller.ts';
import { keepingAnswer } from '../../../../shared/store/kept-answers.ts';
import { audit } from '../audit.ts';
import { signingDeadline } from '../deadline.ts';
import { requireActiveSession } from '../session.ts';
import { type IncomingDocument, requirePdf } from './incoming.ts';
import { signPdf } from './sign-at-platform.ts';
import { beginSigningCall, type SigningRequest } from './signing-call.ts';

export type SignDocumentRequest = SigningRequest & {
  readonly sessionId: string;
  readonly document: IncomingDocument;
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
    const pdf = requirePdf(document);
    const call = await beginSigningCall(caller, session, { correlationId, record, deadline });
    try {
      const accepted = acceptedAs(await signPdf(pdf, call), now());
      for (const write of keepingAnswer(accepted)) record.addWrite(write);
      return accepted;
    } finally {
      call.settle();
    }
  });
}
