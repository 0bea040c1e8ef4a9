import { SessionParams, SignatureSessionModel } from '../contract.ts';
import { shownSession } from '../domain/shown-session.ts';
import { visitedSession } from '../domain/visit.ts';
import { BY_KEY_OR_TOKEN, SIGNATURE_SESSIONS, signatureSession, VISIT_CODES, visitorOf } from '../service.ts';

export const handler = signatureSession.endpoint(
  {
    route: 'GET /api/signature-sessions/{sessionId}',
    summary: 'A signature session and its documents, by key or by X-Signature-Session-Token',
    params: SessionParams,
    answers: { 200: SignatureSessionModel },
    refuses: VISIT_CODES,
    credentials: BY_KEY_OR_TOKEN,
    permission: SIGNATURE_SESSIONS,
  },
  async (input) => shownSession(await visitedSession(input.params.sessionId, visitorOf(input), Date.now())),
);
