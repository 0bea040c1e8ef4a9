import { pki } from '../../service.ts';
import { AuthenticationGetResponse } from '../contract.ts';
import { createNonce } from '../domain/nonce-authentication.ts';

export const handler = pki.endpoint(
  {
    route: 'GET /Api/Authentication',
    summary: 'Create a nonce to sign',
    description:
      'Answers a nonce for POST /Api/Authentication. It is for one use, by the same application, within its time.',
    answers: { 200: AuthenticationGetResponse },
    permission: 'authentication',
  },
  async ({ caller }) => ({ nonce: await createNonce(caller, Date.now()) }),
);
