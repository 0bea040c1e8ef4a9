import { optionalJsonBody } from '../../../shared/http/body/reader.ts';
import { AuthenticationsPostRequest, AuthenticationsPostResponse } from '../contract/authentication.ts';
import { startAuthentication } from '../domain/authentication/started.ts';
import { pki } from '../service.ts';

export const handler = pki.endpoint(
  {
    route: 'POST /Api/Authentications',
    summary: 'Start an authentication (earlier generation)',
    body: optionalJsonBody(AuthenticationsPostRequest),
    answers: { 200: AuthenticationsPostResponse },
    refuses: ['SecurityContextRequired', 'SecurityContextNotFound'],
    permission: 'authentication',
  },
  ({ caller, body }) => startAuthentication(caller, body, Date.now()),
);
