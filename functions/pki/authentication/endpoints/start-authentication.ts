import { optionalJsonBody } from '../../../../shared/http/body/reader.ts';
import { pki } from '../../service.ts';
import { AuthenticationsPostRequest, AuthenticationsPostResponse } from '../contract.ts';
import { startAuthentication } from '../domain/start-authentication.ts';

export const handler = pki.endpoint(
  {
    route: 'POST /Api/Authentications',
    summary: 'Start an authentication (earlier generation)',
    description: 'Answers a token and the bytes to sign. New clients use POST /api/v2/authentication.',
    body: optionalJsonBody(AuthenticationsPostRequest),
    answers: { 200: AuthenticationsPostResponse },
    refuses: ['SecurityContextRequired', 'SecurityContextNotFound'],
    permission: 'authentication',
  },
  ({ caller, body }) => startAuthentication(caller, body, Date.now()),
);
