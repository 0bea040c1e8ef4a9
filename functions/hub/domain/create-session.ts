import { createHash } from 'node:crypto';
import type { Caller } from '../../../shared/access/caller.ts';
import { commonSettings } from '../../../shared/settings/common.ts';
import { commit } from '../../../shared/store/commit.ts';
import { errors } from '../errors.ts';
import { settings } from '../settings.ts';
import { authorizations, newAuthorization } from './authorization.ts';
import { findHolders, renderProvider, requireProvider } from './find-providers.ts';
import { type Identifier, maxLifetimeSeconds, parseIdentifier } from './identifier.ts';
import { authorizeUrl } from './providers/authorize-url.ts';
import { listProviders, type Provider } from './providers/provider.ts';
import { checkRedirectUri } from './redirect-uri.ts';
import type { SessionType } from './session-types.ts';

export type CreateSessionRequest = {
  readonly redirectUri: string;
  readonly identifier?: string | undefined;
  readonly type?: SessionType | undefined;
  readonly lifetimeInSeconds?: number | undefined;
  readonly customState?: string | undefined;
};

type Search = {
  readonly identifierType?: Identifier['type'] | undefined;
  readonly discover?: boolean | undefined;
};

/** The one address that is registered at every provider: users come back by it. */
export const callbackUrl = (): string => `${commonSettings['Http:PublicUrl']}/hub/api/sessions/callback`;

/** Where the user can authorize: at every provider, or with discovery at those that hold a certificate. */
export async function createSession(
  { identifierType, discover, ...asked }: CreateSessionRequest & Search,
  caller: Caller,
  nowMs = Date.now(),
) {
  const identifier = identified(asked, identifierType);
  checkRedirectUri(asked.redirectUri, caller.registered.redirectUris);
  if (discover && !identifier) throw errors.refuse('IdentifierRequiredToDiscover');
  const isSearch = identifier !== undefined && discover !== false;
  const providers = isSearch ? await findHolders(identifier, caller) : await listProviders();
  const begun = providers.map(beginning(asked, identifier, caller, nowMs));
  // All in one: a creation is there or it is not.
  await commit(begun.map(({ write }) => write));
  return { services: begun.map(({ shown }) => shown) };
}

/** The same at one provider, which is not asked whether it holds anything. */
export async function createSessionAt(
  name: string,
  asked: CreateSessionRequest,
  caller: Caller,
  nowMs = Date.now(),
) {
  const identifier = identified(asked);
  const provider = await requireProvider(name);
  checkRedirectUri(asked.redirectUri, caller.registered.redirectUris);
  const { write, shown } = beginning(asked, identifier, caller, nowMs)(provider);
  await commit([write]);
  return shown;
}

const identified = (
  { identifier }: CreateSessionRequest,
  type?: Identifier['type'],
): Identifier | undefined => (identifier === undefined ? undefined : parseIdentifier(identifier, type));

/** How an authorization begins at a provider: what is written, and what the client is told. */
function beginning(
  asked: CreateSessionRequest,
  identifier: Identifier | undefined,
  { application }: Caller,
  nowMs: number,
) {
  const { redirectUri, type = 'SingleSignature', customState = null } = asked;
  const lifetimeSeconds = Math.min(
    asked.lifetimeInSeconds ?? settings['Sessions:DefaultLifetime'],
    maxLifetimeSeconds(identifier),
  );
  const expiresAtMs = nowMs + lifetimeSeconds * 1000;
  const wish = { application, redirectUri, type, lifetimeSeconds, expiresAtMs };
  return (provider: Provider) => {
    const { authorization, state, codeVerifier } = newAuthorization(provider.name, wish, customState);
    const authUrl = authorizeUrl(provider, {
      state,
      codeChallenge: challengeOf(codeVerifier),
      type,
      lifetimeSeconds,
      loginHint: identifier?.value,
      redirectUri: callbackUrl(),
    });
    return {
      write: authorizations.creating(authorization),
      shown: { serviceInfo: renderProvider(provider), authUrl },
    };
  };
}

/** What PKCE shows of a verifier before the verifier itself. */
const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');
