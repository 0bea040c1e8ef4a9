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
