import { SessionParams, SignatureSessionModel } from '../contract.ts';
import { awaitedSession } from '../domain/end-session.ts';
import { shownSession } from '../domain/shown-session.ts';
import { BY_KEY_OR_TOKEN, SIGNATURE_SESSIONS, signatureSession, VISIT_CODES, visitorOf } from '../service.ts';

/** However a session ended is an answer and no error. */
export const handler = signatureSession.endpoint(
  {
    route: 'POST /api/signature-sessions/{sessionId}/completion',
    summary: 'Await the end of a signature session whose person has signed',
    params: SessionParams,
    answers: { 200: SignatureSessionModel },
    refuses: [...VISIT_CODES, 'BadSignatureSessionOperation', 'BackgroundProcessing'],
    credentials: BY_KEY_OR_TOKEN,
    permission: SIGNATURE_SESSIONS,
  },
  async (input) => shownSession(await awaitedSession(input.params.sessionId, visitorOf(input), Date.now)),
);
