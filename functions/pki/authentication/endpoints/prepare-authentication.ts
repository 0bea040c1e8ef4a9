import { optionalJsonBody } from '../../../../shared/http/body/reader.ts';
import { pki } from '../../service.ts';
import { PrepareAuthenticationRequest, PrepareAuthenticationResponse } from '../contract.ts';
import { prepareAuthentication } from '../domain/prepare-authentication.ts';

export const handler = pki.endpoint(
  {
    route: 'POST /api/v2/authentication',
    summary: 'Prepare a certificate authentication',
    description:
      'Answers a `state` and the bytes that the private key of the certificate must sign. Complete it with POST /api/v2/authentication/completion.',
    body: optionalJsonBody(PrepareAuthenticationRequest),
    answers: { 200: PrepareAuthenticationResponse },
    refuses: ['SecurityContextNotFound'],
    permission: 'authentication',
  },
  ({ caller, body }) => prepareAuthentication(caller, body, Date.now()),
);
