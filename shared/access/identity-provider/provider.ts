import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientError,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  type ExportedJWKSCache,
  enableNonRepudiationChecks,
  getJwksCache,
  type IDToken,
  None,
  type ServerMetadata,
  setJwksCache,
} from 'openid-client';
import { webFetch } from '../../net/web-fetch.ts';
import { commonSettings } from '../../settings/common.ts';
import { isLocal, type ServiceName } from '../../settings/names.ts';
import { cached } from '../../store/cached.ts';
import type { IdentityProviderValues } from './settings.ts';

/** A service as the provider knows it. */
export type IdpClient = {
  readonly service: ServiceName;
  readonly settings: IdentityProviderValues;
  /** The path that the provider sends browsers back to. */
  readonly callbackPath: () => string;
};

/** The metadata and keys that the provider publishes. */
export type KnownProvider = {
  readonly authority: string;
  readonly metadata: ServerMetadata;
  /** Its keys, kept from one sign-in to the next. The library reads them again after five minutes. */
  jwks?: ExportedJWKSCache | undefined;
};

/** The secrets that tie an answer of the provider to the sign-in that was begun. */
export type SignInChecks = {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
};

// Metadata has some kilobytes and keys some tens. A person waits: three calls fit the 29 s of API Gateway.
const fetch = webFetch({ maxBytes: 1_048_576, timeoutMs: 5_000 });

const METADATA_MS = 3_600_000;

// Metadata is shared by the functions of a process; the library's own object works in the bundle that made it alone.
const providers = cached({ name: 'identity-provider', read: discover, ttlMs: () => METADATA_MS });

/** The provider that the settings name. Failures are not kept: the next sign-in asks again. */
export async function findProvider({ settings }: IdpClient): Promise<KnownProvider | undefined> {
  const authority = settings['Idp:Authority'];
  return authority === undefined ? undefined : providers.get(authority);
}

// A code or a token over plain http can be read on its way. An https authority never falls back to it.
const isPlainAllowed = (authority: string): boolean =>
  new URL(authority).protocol === 'http:' && (isLocal() || commonSettings['Network:AllowPrivateAddresses']);

async function discover(authority: string): Promise<KnownProvider> {
  const address = new URL(`${authority}/.well-known/openid-configuration`);
  // The metadata is the same for every client.
  const config = await discovery(address, 'any', undefined, None(), {
    [customFetch]: fetch,
    execute: isPlainAllowed(authority) ? [allowInsecureRequests] : [],
  });
  const metadata = structuredClone({ ...config.serverMetadata() });
  // OpenID Connect Discovery 4.3. It also refuses authorities of many tenants, whose issuer is a pattern: the
  // administrator of any tenant could give out our roles. A slash at the end is not compared: settings have none.
  if (withoutSlash(metadata.issuer) !== withoutSlash(authority))
    throw new ClientError('The metadata is of another issuer than Idp:Authority.');
  const provider = { authority, metadata };
  // Throws where the metadata has no address that a browser can be sent to: no sign-in can begin.
  buildAuthorizationUrl(config, {});
  return provider;
}

const withoutSlash = (address: string): string => new URL(address).href.replace(/\/+$/, '');

// RFC 8414, 2: a provider that lists no methods takes client_secret_basic.
const clientAuthOf = (
  { settings }: IdpClient,
  { token_endpoint_auth_methods_supported: methods = [] }: ServerMetadata,
): ClientAuth =>
  (methods.includes('client_secret_post') ? ClientSecretPost : ClientSecretBasic)(
    settings['Idp:ClientSecret'],
  );

function configurationOf(client: IdpClient, { authority, metadata, jwks }: KnownProvider): Configuration {
  const { 'Idp:ClientId': id } = client.settings;
  const config = new Configuration(metadata, id, undefined, clientAuthOf(client, metadata));
  config[customFetch] = fetch;
  if (isPlainAllowed(authority)) allowInsecureRequests(config);
  // The signature of the ID token. The library trusts the connection to the token endpoint otherwise.
  enableNonRepudiationChecks(config);
  if (jwks) setJwksCache(config, jwks);
  return config;
}

/** The address of the callback, as it is registered at the provider. */
export const callbackUrl = ({ callbackPath }: IdpClient): URL =>
  new URL(callbackPath(), commonSettings['Http:PublicUrl']);

/** The address at the provider that a browser is sent to. */
export async function authorizationUrl(
  client: IdpClient,
  provider: KnownProvider,
  checks: SignInChecks,
): Promise<string> {
  const url = buildAuthorizationUrl(configurationOf(client, provider), {
    redirect_uri: callbackUrl(client).href,
    scope: 'openid email profile',
    state: checks.state,
    nonce: checks.nonce,
    code_challenge: await calculatePKCECodeChallenge(checks.codeVerifier),
    code_challenge_method: 'S256',
  });
  return url.href;
}

/**
 * The claims of the ID token that the provider gives for the code. Throws where the answer or the token is not right:
 * state, issuer (RFC 9207: mix-up attack), nonce, signature, audience, and times with 30 s of tolerance.
 */
export async function exchangeCode(
  client: IdpClient,
  provider: KnownProvider,
  answer: URL,
  { state, nonce, codeVerifier }: SignInChecks,
): Promise<IDToken> {
  const config = configurationOf(client, provider);
  const tokens = await authorizationCodeGrant(config, answer, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: codeVerifier,
    idTokenExpected: true,
  });
  provider.jwks = getJwksCache(config);
  const claims = tokens.claims();
  if (!claims) throw new ClientError('The provider gave no ID token.');
  return claims;
}
