import { AuthenticationGetResponse } from '../contract.ts';
import { giveNonce } from '../domain/nonce.ts';
import { pki } from '../service.ts';

export const handler = pki.endpoint(
  {
    route: 'GET /Api/Authentication',
    summary: 'A nonce to sign',
    answers: { 200: AuthenticationGetResponse },
    permission: 'authentication',
  },
  async () => ({ nonce: await giveNonce() }),
);
