import { pki } from '../../service.ts';
import { AuthenticationGetResponse } from '../contract.ts';
import { createNonce } from '../domain/nonce-authentication.ts';

export const handler = pki.endpoint(
  {
    route: 'GET /Api/Authentication',
    summary: 'A nonce to sign',
    answers: { 200: AuthenticationGetResponse },
    permission: 'authentication',
  },
  async ({ caller }) => ({ nonce: await createNonce(caller, Date.now()) }),
);
