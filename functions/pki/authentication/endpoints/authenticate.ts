import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { pki } from '../../service.ts';
import { AuthenticationPostRequest, AuthenticationPostResponse } from '../contract.ts';
import { authenticate } from '../domain/nonce-authentication.ts';

export const handler = pki.endpoint(
  {
    route: 'POST /Api/Authentication',
    summary: 'Authenticate by a signed nonce',
    description:
      'Checks the signature over the nonce and the certificate. With nothing in `validationResults.errors`, the holder is authenticated.',
    body: jsonBody(AuthenticationPostRequest),
    answers: { 200: AuthenticationPostResponse },
    refuses: [
      'SecurityContextRequired',
      'SecurityContextNotFound',
      'PKCertificateMalformed',
      'UnsupportedSignatureAlgorithm',
      'InvalidSignature',
      'InvalidToken',
      'NonceAlreadyUsed',
      'StaleSession',
    ],
    permission: 'authentication',
  },
  ({ caller, body }) => authenticate(caller, body, Date.now()),
);
