import { jsonBody } from '../../../shared/http/body/reader.ts';
import { json } from '../../../shared/http/response/answer.ts';
import { CreateSession, Session } from '../contract.ts';
import { createSession } from '../domain/create-session.ts';
import { session } from '../service.ts';

export const handler = session.endpoint(
  {
    route: 'POST /v1/sessions',
    summary: 'Open a signing session for a CPF with the PIN of its certificate',
    description:
      'A CPF has at most one session: a new one replaces the session before it. Keep the `sessionId`; no other call answers it again.',
    tag: 'sessions',
    body: jsonBody(CreateSession),
    rate: 'CreateSession',
    answers: { 201: Session },
    refuses: [
      'CERT_NOT_FOUND',
      'CERT_NOT_ACTIVE',
      'CERT_DATA_UNAVAILABLE',
      'INVALID_PIN',
      'PIN_NOT_AVAILABLE',
      'WORKSTATION_OFFLINE',
      'TOO_MANY_PIN_ATTEMPTS',
    ],
    streams: true,
  },
  async ({ body, caller, correlationId, deadlineAtMs }) =>
    json(await createSession(caller, { ...body, correlationId, deadlineAtMs }, () => Date.now()), {
      status: 201,
    }),
);
