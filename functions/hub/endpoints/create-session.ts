import { jsonBody } from '../../../shared/http/body/reader.ts';
import { SessionCreateRequest, SessionModel } from '../contract.ts';
import { createSession } from '../domain/create-session.ts';
import { hub } from '../service.ts';

export const handler = hub.endpoint(
  {
    route: 'POST /api/sessions',
    summary: 'Create a session at every provider that holds a certificate for the signer',
    description:
      'Answers one `authUrl` for each provider. Send the user to one of them; the user returns to `redirectUri` with `session`.',
    tag: 'sessions',
    body: jsonBody(SessionCreateRequest),
    answers: { 200: SessionModel },
    refuses: ['InvalidRedirectUri', 'UnauthorizedRedirectUri', 'IdentifierRequiredToDiscover'],
  },
  async ({ body, caller }) => createSession(caller, body, () => Date.now()),
);
