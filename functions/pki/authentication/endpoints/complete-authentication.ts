import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { pki } from '../../service.ts';
import { CompleteAuthenticationRequest, CompleteAuthenticationResponse } from '../contract.ts';
import { completeAuthentication } from '../domain/prepare-authentication.ts';

/** A certificate that may not be believed, and a state whose time is over, are answers and no errors. */
export const handler = pki.endpoint(
  {
    route: 'POST /api/v2/authentication/completion',
    summary: 'Complete a certificate authentication',
    description:
      'Checks the signature and the certificate. Read `success`: a certificate that fails validation still answers 200.',
    body: jsonBody(CompleteAuthenticationRequest),
    answers: { 200: CompleteAuthenticationResponse },
    refuses: [
      'SecurityContextNotFound',
      'PKCertificateMalformed',
      'UnsupportedSignatureAlgorithm',
      'InvalidSignature',
      'InvalidToken',
      'NonceAlreadyUsed',
    ],
    permission: 'authentication',
  },
  ({ caller, body }) => completeAuthentication(caller, body, Date.now()),
);
