import { pki } from '../../service.ts';
import { AuthenticationGetResponse } from '../contract.ts';
import { giveNonce } from '../domain/bare-nonce.ts';

export const handler = pki.endpoint(
  {
    route: 'GET /Api/Authentication',
    summary: 'A nonce to sign',
    answers: { 200: AuthenticationGetResponse },
    permission: 'authentication',
  },
  async ({ caller }) => ({ nonce: await giveNonce(caller, Date.now()) }),
);
