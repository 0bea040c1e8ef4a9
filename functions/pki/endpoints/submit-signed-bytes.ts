import { jsonBody } from '../../../shared/http/body/reader.ts';
import {
  AuthenticationsPostSignedBytesRequest,
  AuthenticationsPostSignedBytesResponse,
  TokenParams,
} from '../contract/authentication.ts';
import { submitSignedBytes } from '../domain/authentication/started.ts';
import { pki } from '../service.ts';

export const handler = pki.endpoint(
  {
    route: 'POST /Api/Authentications/{token}/SignedBytes',
    summary: 'Submit signed bytes',
    params: TokenParams,
    body: jsonBody(AuthenticationsPostSignedBytesRequest),
    answers: { 200: AuthenticationsPostSignedBytesResponse },
    refuses: [
      'SecurityContextNotFound',
      'PKCertificateMalformed',
      'UnsupportedSignatureAlgorithm',
      'InvalidSignature',
      'InvalidToken',
      'ClientSignatureAlreadySet',
      'NonceAlreadyUsed',
      'StaleSession',
    ],
    permission: 'authentication',
  },
  ({ caller, params, body }) => submitSignedBytes(caller, params.token, body, Date.now()),
);
