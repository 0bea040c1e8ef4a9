import { SessionParams } from '../contract/documents.ts';
import { SignatureSessionModel } from '../contract/sessions.ts';
import { cancelSession } from '../domain/end-session.ts';
import { sessionModel } from '../domain/session-model.ts';
import { BY_TOKEN, SIGNATURE_SESSIONS, SIGNER_CODES, signatureSession, tokenIn } from '../service.ts';

export const handler = signatureSession.endpoint(
  {
    route: 'POST /api/signature-sessions/{sessionId}/cancellation',
    summary: 'Cancel a signature session as its signer',
    description:
      'Ends the session with the status UserCancelled. For the person: needs X-Signature-Session-Token.',
    params: SessionParams,
    answers: { 200: SignatureSessionModel },
    refuses: SIGNER_CODES,
    credentials: BY_TOKEN,
    permission: SIGNATURE_SESSIONS,
  },
  async ({ caller, params, headers }) =>
    sessionModel(caller, await cancelSession(caller, { ...params, token: tokenIn(headers) }, Date.now())),
);
