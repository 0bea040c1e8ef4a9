import { SessionParams } from '../contract/documents.ts';
import { SignatureSessionModel } from '../contract/sessions.ts';
import { findSession } from '../domain/find-session.ts';
import { sessionModel } from '../domain/session-model.ts';
import { BY_KEY_OR_TOKEN, SIGNATURE_SESSIONS, signatureSession, tokenIn, VISIT_CODES } from '../service.ts';

export const handler = signatureSession.endpoint(
  {
    route: 'GET /api/signature-sessions/{sessionId}',
    summary: 'Read a signature session and its documents',
    description:
      'Needs the key of the application, or the token of the session in X-Signature-Session-Token.',
    params: SessionParams,
    answers: { 200: SignatureSessionModel },
    refuses: VISIT_CODES,
    credentials: BY_KEY_OR_TOKEN,
    permission: SIGNATURE_SESSIONS,
  },
  async ({ caller, params, headers }) =>
    sessionModel(caller, await findSession(caller, { ...params, token: tokenIn(headers) }, Date.now())),
);
