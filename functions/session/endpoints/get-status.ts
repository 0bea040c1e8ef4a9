import { SessionQuery, SessionStatus } from '../contract.ts';
import { findActiveSession } from '../domain/session.ts';
import { session } from '../service.ts';

/** Never extends the window: asking is not using. */
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
    const now = Date.now();
    const found = await findActiveSession(sessionId, now);
    const endsAtMs = found?.expiresAtMs ?? now;
    return {
      active: found !== undefined,
      sessionId,
      expiresIn: Math.ceil((endsAtMs - now) / 1000),
      expiresAt: new Date(endsAtMs).toISOString(),
    };
  },
);
