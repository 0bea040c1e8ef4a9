import { jsonBody } from '../../../shared/http/body/reader.ts';
import { EndedSession, SessionBody } from '../contract.ts';
import { deactivateSession } from '../domain/deactivate-session.ts';
import { session } from '../service.ts';

export const handler = session.endpoint(
  {
    route: 'POST /v1/sessions/deactivate',
    summary: 'End a session',
    description:
      'Ends the session and drops the secret that it rested on. A second call answers SESSION_EXPIRED.',
    tag: 'sessions',
    body: jsonBody(SessionBody),
    answers: { 200: EndedSession },
    refuses: ['SESSION_EXPIRED'],
  },
  async ({ body, caller, correlationId }) =>
    deactivateSession(caller, { ...body, correlationId }, () => Date.now()),
);
