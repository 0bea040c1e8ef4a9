import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { pki } from '../../service.ts';
import {
  AuthenticationsPostSignedBytesRequest,
  AuthenticationsPostSignedBytesResponse,
  TokenParams,
} from '../contract.ts';
import { submitSignedBytes } from '../domain/start-authentication.ts';

export const handler = pki.endpoint(
  {
    route: 'POST /Api/Authentications/{token}/SignedBytes',
    summary: 'Submit signed bytes (earlier generation)',
    description:
      'Takes the certificate and its signature over the bytes to sign, and answers how the certificate was judged. Finalize the authentication next.',
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
