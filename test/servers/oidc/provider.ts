import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { ACCOUNTS, CLIENT, type ProviderReady } from './accounts.ts';

// An OpenID provider in a process of its own. Nobody types a password: the account is the login_hint of the request, as
// if that person were signed in already.

const server = createServer();
server.listen(0, '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = providerOf(issuer);
  const handle = provider.callback();
  server.on('request', async (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return handle(request, response);
    const { params } = await provider.interactionDetails(request, response);
    const accountId = String(params.login_hint);
    const result = ACCOUNTS[accountId]
      ? { login: { accountId } }
      : { error: 'access_denied', error_description: 'The person canceled.' };
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  });
  const ready: ProviderReady = { issuer };
  process.send?.(ready);
});
process.on('disconnect', () => process.exit());

function providerOf(issuer: string): Provider {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [...CLIENT.callbacks],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: issuer }] },
    cookies: { keys: ['a-secret-of-the-tests'] },
    claims: { openid: ['sub', 'roles'], email: ['email', 'email_verified'], profile: ['preferred_username'] },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, accountId) => ({
      accountId,
      claims: () => ({ sub: accountId, ...ACCOUNTS[accountId] }),
    }),
    // Consent is given beforehand, as an organization gives it for its own applications.
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId,
        accountId: oidc.session?.accountId,
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
}
