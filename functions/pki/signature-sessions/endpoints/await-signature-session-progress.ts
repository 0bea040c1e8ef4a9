import { SessionParams } from '../contract/documents.ts';
import { SessionProgressModel } from '../contract/sessions.ts';
import { awaitProgress } from '../domain/end-session.ts';
import { BY_KEY_OR_TOKEN, SIGNATURE_SESSIONS, signatureSession, tokenIn, VISIT_CODES } from '../service.ts';

export const handler = signatureSession.endpoint(
  {
    route: 'GET /api/signature-sessions/{sessionId}/when-completed',
    summary: 'Wait until a signature session is completed',
    description:
      'Waits while the signed files are made, and answers whether the session has ended. Ask again where it has not.',
    params: SessionParams,
    answers: { 200: SessionProgressModel },
    refuses: [...VISIT_CODES, 'BadSignatureSessionOperation'],
    credentials: BY_KEY_OR_TOKEN,
    permission: SIGNATURE_SESSIONS,
  },
  ({ caller, params, headers }) => awaitProgress(caller, { ...params, token: tokenIn(headers) }, Date.now),
);
