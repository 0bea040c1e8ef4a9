import { createHash } from 'node:crypto';
import type { Caller } from '../../../shared/access/caller.ts';
import { commit } from '../../../shared/store/commit.ts';
import type { IdentifierType, SessionType } from '../contract.ts';
import { errors } from '../errors.ts';
import { authorizations, callbackUrl, newAuthorization } from './authorization.ts';
import { findHolders, renderProvider, requireProvider } from './find-providers.ts';
import { type Identifier, maxLifetimeSeconds, parseIdentifier } from './identifier.ts';
import { authorizeUrl } from './providers/authorize-url.ts';
import { listProviders, type Provider } from './providers/provider.ts';
import { requireRegisteredUri } from './redirect-uri.ts';

// Long enough to find the telephone that allows the signature.
const DEFAULT_LIFETIME_SECONDS = 300;

/** A session at one provider. */
export type CreateSessionRequest = {
  readonly redirectUri: string;
  readonly identifier?: string | undefined;
  readonly type?: SessionType | undefined;
  readonly lifetimeInSeconds?: number | undefined;
  readonly customState?: string | undefined;
};

/** A session at several providers. */
type DiscoverRequest = CreateSessionRequest & {
  readonly identifierType?: IdentifierType | undefined;
  readonly discover?: boolean | undefined;
};

/** Begins an authorization at every provider, or with discovery at those that hold a certificate. */
export async function createSession(caller: Caller, request: DiscoverRequest, now: () => number) {
  const identifier = identifierOf(request);
  const { redirectUri, discover } = request;
  requireRegisteredUri(caller, redirectUri);
  if (discover && !identifier) throw errors.refuse('IdentifierRequiredToDiscover');
  const isSearch = identifier !== undefined && discover !== false;
  const nowMs = now();
  const providers = isSearch ? await findHolders(caller, identifier, now) : await listProviders();
  const begun = providers.map((provider) =>
    beginAuthorization(caller, provider, { ...request, identifier }, nowMs),
  );
  // One transaction: either every authorization is stored or none.
  await commit(begun.map(({ write }) => write));
  return { services: begun.map(({ service }) => service) };
}

/** Begins an authorization at one provider, without discovery. */
export async function createSessionAt(
  caller: Caller,
  name: string,
  request: CreateSessionRequest,
  nowMs: number,
) {
  const identifier = identifierOf(request);
  const provider = await requireProvider(name);
  requireRegisteredUri(caller, request.redirectUri);
  const { write, service } = beginAuthorization(caller, provider, { ...request, identifier }, nowMs);
  await commit([write]);
  return service;
}

const identifierOf = ({ identifier, identifierType }: DiscoverRequest): Identifier | undefined =>
  identifier === undefined ? undefined : parseIdentifier(identifier, identifierType);

type AuthorizationRequest = Omit<CreateSessionRequest, 'identifier'> & {
  readonly identifier: Identifier | undefined;
};

/** The write that begins an authorization at a provider, and the answer to the client. */
function beginAuthorization(
  { application }: Caller,
  provider: Provider,
  { identifier, ...request }: AuthorizationRequest,
  nowMs: number,
) {
  const { redirectUri, type = 'SingleSignature', customState = null } = request;
  const lifetimeSeconds = Math.min(
    request.lifetimeInSeconds ?? DEFAULT_LIFETIME_SECONDS,
    maxLifetimeSeconds(identifier),
  );
  const terms = {
    application,
    redirectUri,
    type,
    lifetimeSeconds,
    expiresAtMs: nowMs + lifetimeSeconds * 1000,
  };
  const { authorization, state, codeVerifier } = newAuthorization(provider.name, terms, customState);
  const authUrl = authorizeUrl(provider, {
    state,
    codeChallenge: codeChallengeOf(codeVerifier),
    type,
    lifetimeSeconds,
    loginHint: identifier?.value,
    redirectUri: callbackUrl(),
  });
  return {
    write: authorizations.creating(authorization),
    service: { serviceInfo: renderProvider(provider), authUrl },
  };
}

/** RFC 7636, 4.2: the S256 code challenge of a verifier. */
const codeChallengeOf = (verifier: string): string =>
  createHash('sha256').update(verifier).digest('base64url');
