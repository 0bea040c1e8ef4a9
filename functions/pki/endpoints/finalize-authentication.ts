import { AuthenticationPostResponse, TokenParams } from '../contract/authentication.ts';
import { finalizeAuthentication } from '../domain/authentication/started.ts';
import { pki } from '../service.ts';

export const handler = pki.endpoint(
  {
    route: 'POST /Api/Authentications/{token}/Finalize',
    summary: 'Finalize an authentication whose bytes were signed',
    params: TokenParams,
    answers: { 200: AuthenticationPostResponse },
    refuses: [
      'SecurityContextNotFound',
      'InvalidToken',
      'ClientSignatureNotSet',
      'NonceAlreadyUsed',
      'StaleSession',
    ],
    permission: 'authentication',
  },
  ({ caller, params }) => finalizeAuthentication(caller, params.token, Date.now()),
);
