import { findRegistered } from '../../../shared/access/applications.ts';
import { ifThrown } from '../../../shared/errors/expected.ts';
import { withQuery } from '../../../shared/net/with-query.ts';
import type { Stored } from '../../../shared/store/collection.ts';
import { RaceLost } from '../../../shared/store/refusals.ts';
import { type EventOf, transition } from '../../../shared/store/state-machine.ts';
import {
  type Authorization,
  authorizationStates,
  authorizations,
  callbackUrl,
  findAuthorization,
  openAuthorization,
} from './authorization.ts';
import { exchangeCode } from './providers/exchange-code.ts';
import { findProvider } from './providers/provider.ts';
import { ProviderFailure } from './providers/provider-failure.ts';
import { beginSession } from './session.ts';

/** The parameters with which a provider sends a user back. */
export type ReturnRequest = {
  readonly state: string;
  readonly code?: string | undefined;
  readonly error?: string | undefined;
};

const DENIED = 'access_denied'; // RFC 6749, 4.1.2.1
const FAILED = 'provider_error';

/**
 * The address to send the user on to. Nothing where no authorization waits for this `state`, or its application may not
 * receive users any more. There is no caller: the `state` is the user's only credential.
 */
export async function returnUser(
  { state, code, error }: ReturnRequest,
  now: () => number,
): Promise<string | undefined> {
  const pending = await findAuthorization(state, now());
  if (!pending) return undefined;
  if (!(await isStillRegistered(pending))) {
    await tryTransition(pending, 'failed');
    return undefined;
  }
  const onwardWith = (name: 'session' | 'error', value: string) =>
    withQuery(pending.redirectUri, { [name]: value });
  if (error !== undefined) {
    const isDenied = error === DENIED;
    const ended = await tryTransition(pending, isDenied ? 'denied' : 'failed');
    return ended && onwardWith('error', isDenied ? DENIED : FAILED);
  }
  if (code === undefined) return undefined;
  const returned = await tryTransition(pending, 'returned');
  if (!returned) return undefined;
  const session = await createSessionFrom(returned, { state, code }, now);
  return session === undefined ? onwardWith('error', FAILED) : onwardWith('session', session);
}

// The operator may have unregistered the address while the user was away, because it fell into other hands. Then
// neither a session nor an error goes there, and no code is exchanged.
async function isStillRegistered({ application, redirectUri }: Authorization): Promise<boolean> {
  const { redirectUris = [] } = await findRegistered('hub', application);
  return redirectUris.includes(redirectUri);
}

// Replay of a callback: a user reloads, or somebody has read the address.
//
//   first   |--reads Pending--- Returned --|--exchanges the code--|--a session--> back to the application
//   second      |--reads Pending--- refused --> an error page, and nothing else
//
// The code is exchanged after the transition, so at most one visitor has it exchanged.
async function tryTransition(
  current: Stored<Authorization>,
  event: EventOf<typeof authorizationStates>,
): Promise<Stored<Authorization> | undefined> {
  if (!authorizationStates.accepts(current.state, event)) return undefined;
  return transition(authorizations, authorizationStates, current, event).catch(ifThrown(RaceLost));
}

/** The value of a new session, or nothing where the provider gave no token. */
async function createSessionFrom(
  returned: Stored<Authorization>,
  { state, code }: { readonly state: string; readonly code: string },
  now: () => number,
): Promise<string | undefined> {
  const { application, provider, type, expiresAtMs } = returned;
  const { codeVerifier, customState } = openAuthorization(returned, state);
  const begin = (endsAtMs: number, accessToken: string | null) =>
    beginSession({ application, provider, type, expiresAtMs: endsAtMs }, { customState, accessToken });
  const nowMs = now();
  // A token would be of no use. The first use of the session answers that it has expired.
  if (nowMs >= expiresAtMs) return begin(expiresAtMs, null);
  try {
    const { accessToken, expiresInSeconds } = await requestToken(returned, { code, codeVerifier }, now);
    // Counted from before the request, so that the session never outlives the token.
    return await begin(Math.min(expiresAtMs, nowMs + expiresInSeconds * 1000), accessToken);
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    await tryTransition(returned, 'failed');
    return undefined;
  }
}

/** Exchanges the code on behalf of the application that began the authorization. */
async function requestToken(
  { provider: name, application, lifetimeSeconds }: Authorization,
  proof: { readonly code: string; readonly codeVerifier: string },
  now: () => number,
) {
  const provider = await findProvider(name);
  if (!provider)
    throw new ProviderFailure('unreachable', name, `The provider ${name} is no longer registered.`);
  const exchange = { ...proof, redirectUri: callbackUrl(), lifetimeSeconds };
  return exchangeCode({ application }, provider, exchange, now);
}
