import { SessionParams, SignatureSessionModel } from '../contract/signature-sessions.ts';
import { shownSession } from '../domain/signature-sessions/shown-session.ts';
import { visitedSession } from '../domain/signature-sessions/visit.ts';
import {
  BY_KEY_OR_TOKEN,
  SIGNATURE_SESSIONS,
  signatureSession,
  VISIT_CODES,
  visitorOf,
} from '../signature-session-endpoint.ts';

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
