import { SessionQuery, SessionStatus } from '../contract.ts';
import { findActiveSession } from '../domain/session.ts';
import { session } from '../service.ts';

/** Never renews the window. */
export const handler = session.endpoint(
  {
    route: 'GET /v1/sessions/status',
    summary: 'Whether a session is active',
    description:
      'An id that names no active session answers 200 with `active` false. Asking never extends the session.',
    tag: 'sessions',
    query: SessionQuery,
    answers: { 200: SessionStatus },
  },
  async ({ query: { sessionId } }) => {
    const nowMs = Date.now();
    const found = await findActiveSession(sessionId, nowMs);
    const endsAtMs = found?.expiresAtMs ?? nowMs;
    return {
      active: found !== undefined,
      sessionId,
      expiresIn: Math.ceil((endsAtMs - nowMs) / 1000),
      expiresAt: new Date(endsAtMs).toISOString(),
    };
  },
);
