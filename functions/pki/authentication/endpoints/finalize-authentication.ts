import { pki } from '../../service.ts';
import { AuthenticationPostResponse, TokenParams } from '../contract.ts';
import { finalizeAuthentication } from '../domain/start-authentication.ts';

export const handler = pki.endpoint(
  {
    route: 'POST /Api/Authentications/{token}/Finalize',
    summary: 'Finalize an authentication (earlier generation)',
    description:
      'Answers the certificate whose signature was submitted, and how it was judged. A token finalizes once.',
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
