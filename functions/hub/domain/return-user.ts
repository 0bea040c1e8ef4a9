import { findRegistered } from '../../../shared/access/applications.ts';
import { withQuery } from '../../../shared/net/with-query.ts';
import type { Stored } from '../../../shared/store/collection.ts';
import { RaceLost } from '../../../shared/store/refusals.ts';
import { type EventOf, transition } from '../../../shared/store/state-machine.ts';
import { type Authorization, authorizations, findAuthorization, keptIn } from './authorization.ts';
import { authorizationStates } from './authorization-states.ts';
import { callbackUrl } from './create-session.ts';
import { exchangeCode } from './providers/exchange-code.ts';
import { findProvider } from './providers/provider.ts';
import { ProviderFailure } from './providers/provider-failure.ts';
import { beginSession } from './session.ts';

/** What a user brings back from a provider. */
export type Brought = {
  readonly state: string;
  readonly code?: string | undefined;
  readonly error?: string | undefined;
};

const DENIED = 'access_denied'; // RFC 6749, 4.1.2.1
const FAILED = 'provider_error';

/** Where the user goes on, or nothing where no authorization waits for what they bring, or nobody may receive it. */
export async function returnUser(brought: Brought, nowMs = Date.now()): Promise<string | undefined> {
  const { state, code, error } = brought;
  const waiting = await findAuthorization(state, nowMs);
  if (!waiting) return undefined;
  if (!(await isStillRegistered(waiting))) {
    await move(waiting, 'failed');
    return undefined;
  }
  const back = (name: 'session' | 'error', value: string) =>
    withQuery(waiting.redirectUri, { [name]: value });
  if (error !== undefined) {
    const isDenied = error === DENIED;
    return (await move(waiting, isDenied ? 'denied' : 'failed')) && back('error', isDenied ? DENIED : FAILED);
  }
  if (code === undefined) return undefined;
  const returned = await move(waiting, 'returned');
  if (!returned) return undefined;
  const session = await sessionFrom(returned, { state, code }, nowMs);
  return session === undefined ? back('error', FAILED) : back('session', session);
}

// The operator may have taken the address back while the user was away, because it fell into other hands: neither a
// session nor an error goes there, and no code is exchanged for it.
async function isStillRegistered({ application, redirectUri }: Authorization): Promise<boolean> {
  const { redirectUris = [] } = await findRegistered('hub', application);
  return redirectUris.includes(redirectUri);
}

// What a provider sends comes twice: a user reloads, or somebody has read the address.
//
//   first   |--reads Pending--- Returned --|--exchanges the code--|--a session--> back to the application
//   second      |--reads Pending--- refused --> a page that says so, and nothing else
//
// The code is exchanged after the change, so that of any number of visitors one at most has it exchanged.
async function move(
  current: Stored<Authorization>,
  event: EventOf<typeof authorizationStates>,
): Promise<Stored<Authorization> | undefined> {
  if (!authorizationStates.allows(current.state, event)) return undefined;
  try {
    return await transition(authorizations, authorizationStates, current, event);
  } catch (error) {
    if (error instanceof RaceLost) return undefined;
    throw error;
  }
}

type Proof = { readonly state: string; readonly code: string };

/** The value of a new session, or nothing where the provider did not give a token. */
async function sessionFrom(
  returned: Stored<Authorization>,
  { state, code }: Proof,
  nowMs: number,
): Promise<string | undefined> {
  const { application, provider, type, expiresAtMs } = returned;
  const { codeVerifier, customState } = keptIn(returned, state);
  const begin = (endsAtMs: number, accessToken: string | null) =>
    beginSession({ application, provider, type, expiresAtMs: endsAtMs }, { customState, accessToken });
  // Nothing could be done with a token any more. The first use of the session tells why.
  if (nowMs >= expiresAtMs) return begin(expiresAtMs, null);
  try {
    const { accessToken, expiresInSeconds } = await tokenFor(returned, { code, codeVerifier });
    // Counted from before it was asked for: never longer than the provider does.
    return await begin(Math.min(expiresAtMs, nowMs + expiresInSeconds * 1000), accessToken);
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    await move(returned, 'failed');
    return undefined;
  }
}

async function tokenFor(
  { provider: name, application, lifetimeSeconds }: Authorization,
  proof: { readonly code: string; readonly codeVerifier: string },
) {
  const provider = await findProvider(name);
  if (!provider) throw new ProviderFailure('unreachable', name, `The provider ${name} is no longer there.`);
  return exchangeCode(
    { ...provider, askedBy: application },
    { ...proof, redirectUri: callbackUrl(), lifetimeSeconds },
  );
}
