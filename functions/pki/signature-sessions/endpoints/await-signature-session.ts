import { SessionParams } from '../contract/documents.ts';
import { SignatureSessionModel } from '../contract/sessions.ts';
import { awaitSession } from '../domain/end-session.ts';
import { sessionModel } from '../domain/session-model.ts';
import { BY_KEY_OR_TOKEN, SIGNATURE_SESSIONS, signatureSession, tokenIn, VISIT_CODES } from '../service.ts';

/** However a session ended is an answer and no error. */
export const handler = signatureSession.endpoint(
  {
    route: 'POST /api/signature-sessions/{sessionId}/completion',
    summary: 'Await the end of a signature session',
    description:
      'Waits while the signed files are made, and answers the session once it has ended. Call it when the person has returned.',
    params: SessionParams,
    answers: { 200: SignatureSessionModel },
    refuses: [...VISIT_CODES, 'BadSignatureSessionOperation', 'BackgroundProcessing'],
    credentials: BY_KEY_OR_TOKEN,
    permission: SIGNATURE_SESSIONS,
  },
  async ({ caller, params, headers }) =>
    sessionModel(caller, await awaitSession(caller, { ...params, token: tokenIn(headers) }, Date.now)),
);
