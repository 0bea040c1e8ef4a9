import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CLIENT } from './accounts.ts';

type Claims = Readonly<Record<string, unknown>>;

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/**
 * A provider that answers the token endpoint with a token made by the test, for tokens that no honest provider gives.
 */
export async function startScriptedProvider() {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let token = '';
  const answers: Readonly<Record<string, () => object>> = {
    '/.well-known/openid-configuration': () => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      id_token_signing_alg_values_supported: ['RS256'],
    }),
    '/jwks': () => ({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256' }] }),
    '/token': () => ({ access_token: 'an-access-token', token_type: 'Bearer', id_token: token }),
  };
  server.on('request', (request, response) => {
    const answer = answers[request.url ?? ''];
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer?.() ?? {}));
  });

  const signWith =
    (key: KeyObject) =>
    (text: string): string =>
      sign('sha256', Buffer.from(text), key).toString('base64url');
  return {
    issuer,
    /** Claims of a right token for this nonce. */
    claimsFor: (nonce: string): Claims => {
      const nowSeconds = Math.floor(Date.now() / 1000);
      return {
        iss: issuer,
        sub: 'ana',
        aud: CLIENT.id,
        nonce,
        iat: nowSeconds,
        exp: nowSeconds + 300,
        email: 'ana@sandbox.example',
        email_verified: true,
        roles: ['Approver'],
      };
    },
    /** The token that the next code is exchanged for. */
    gives(claims: Claims, alg: 'RS256' | 'HS256' | 'none' = 'RS256', key = privateKey) {
      const signed = `${encode({ alg, kid: 'one', typ: 'JWT' })}.${encode(claims)}`;
      const publicPem = publicKey.export({ format: 'pem', type: 'spki' });
      const signatures = {
        RS256: signWith(key),
        // Algorithm confusion: the public key as the secret of an HMAC.
        HS256: (text: string) => createHmac('sha256', publicPem).update(text).digest('base64url'),
        none: () => '',
      };
      token = `${signed}.${signatures[alg](signed)}`;
      return token;
    },
    stop: () => new Promise((closed) => server.close(closed)),
  };
}
