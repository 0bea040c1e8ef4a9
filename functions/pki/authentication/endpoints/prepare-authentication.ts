import { optionalJsonBody } from '../../../../shared/http/body/reader.ts';
import { pki } from '../../service.ts';
import { PrepareAuthenticationRequest, PrepareAuthenticationResponse } from '../contract.ts';
import { prepareAuthentication } from '../domain/prepare-authentication.ts';

export const handler = pki.endpoint(
  {
    route: 'POST /api/v2/authentication',
    summary: 'Prepare a certificate authentication',
    body: optionalJsonBody(PrepareAuthenticationRequest),
    answers: { 200: PrepareAuthenticationResponse },
    refuses: ['SecurityContextNotFound'],
    permission: 'authentication',
  },
  ({ caller, body }) => prepareAuthentication(caller, body, Date.now()),
);
