import { AuthenticationGetResponse } from '../contract/authentication.ts';
import { giveNonce } from '../domain/authentication/bare-nonce.ts';
import { pki } from '../service.ts';

export const handler = pki.endpoint(
  {
    route: 'GET /Api/Authentication',
    summary: 'A nonce to sign',
    answers: { 200: AuthenticationGetResponse },
    permission: 'authentication',
  },
  async ({ caller }) => ({ nonce: await giveNonce(caller, Date.now()) }),
);
