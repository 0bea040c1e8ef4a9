import * as z from 'zod';
import { approverSessions } from '../../approvals/approver-sessions.ts';
import { basePath, safeReturnPath } from '../../auth/domain/return-path.ts';
import { operatorSessions } from '../../config/operator-sessions.ts';
import { addressOf } from '../../profiles/domain/approvers.ts';
import { settings } from '../../settings.ts';
import { logFailure } from './failure.ts';
import { takePending } from './pending-sign-in.ts';
import { callbackUrl, exchangeCode, findProvider } from './provider.ts';

type CallbackRequest = {
  /** The parameters of the provider's answer, as they came. */
  readonly query: Readonly<Record<string, string | string[]>>;
  /** The cookie of the browser that began the sign-in. */
  readonly cookie: string | undefined;
  /** The sessions that the browser has already. */
  readonly previous: { readonly operator: string | undefined; readonly approver: string | undefined };
};

/** A cookie is there for each role. `wasBegun`: the sign-in was one of this browser, and is over. */
export type CallbackResult =
  | {
      readonly outcome: 'signedIn';
      readonly operatorCookie: string | undefined;
      readonly approverCookie: string | undefined;
      readonly location: string;
    }
  | { readonly outcome: 'noRole'; readonly address: string }
  | { readonly outcome: 'failed'; readonly wasBegun: boolean };

/** Ends a sign-in with the provider's answer. One that is not right is a failure, which does not say why. */
export async function completeSignIn(request: CallbackRequest, nowMs: number): Promise<CallbackResult> {
  const { query, cookie } = request;
  const authority = settings['Idp:Authority'];
  const state = query.state;
  if (authority === undefined || typeof state !== 'string') return { outcome: 'failed', wasBegun: false };
  const pending = await takePending({ state, cookie, authority }, nowMs);
  if (!pending) return { outcome: 'failed', wasBegun: false };
  const identity = await identify(query, { ...pending, state });
  if (!identity) return { outcome: 'failed', wasBegun: true };
  if (!identity.isAdministrator && !identity.isApprover)
    return { outcome: 'noRole', address: identity.address };
  return {
    outcome: 'signedIn',
    ...(await startSessions(identity, request, nowMs)),
    location: locationFor(identity, pending.returnPath),
  };
}

async function identify(
  query: CallbackRequest['query'],
  checks: Parameters<typeof exchangeCode>[2],
): Promise<Identity | undefined> {
  try {
    const provider = await findProvider();
    const identity = provider && identityOf(await exchangeCode(provider, answerOf(query), checks));
    if (!identity) throw new Error('The ID token has no address that is verified.');
    return identity;
  } catch (error) {
    logFailure('A sign-in by the identity provider failed.', error);
    return undefined;
  }
}

/** The address that the provider sent the browser to. Made of the settings: a Host header is the caller's. */
function answerOf(query: CallbackRequest['query']): URL {
  const url = callbackUrl();
  for (const [name, values] of Object.entries(query))
    for (const value of [values].flat()) url.searchParams.append(name, value);
  return url;
}

async function startSessions(
  { address, isAdministrator, isApprover }: Identity,
  { previous }: CallbackRequest,
  nowMs: number,
) {
  const person = { address, method: 'EntraIdEmail', verifiedAtMs: null } as const;
  const [operatorCookie, approverCookie] = await Promise.all([
    isAdministrator ? operatorSessions.start(previous.operator, { by: address }, nowMs) : undefined,
    isApprover ? approverSessions.start(previous.approver, person, nowMs) : undefined,
  ]);
  return { operatorCookie, approverCookie };
}

/** The return path where a session of this person opens it, and else the home of the role. */
function locationFor({ isAdministrator, isApprover }: Identity, returnPath: string): string {
  const portal = `${basePath()}/approvals`;
  const isInPortal = /^[/?#]|^$/.test(returnPath.slice(portal.length)) && returnPath.startsWith(portal);
  if (isInPortal) return isApprover ? returnPath : safeReturnPath(undefined);
  return isAdministrator ? returnPath : portal;
}

/** A person, by the claims of an ID token. */
type Identity = {
  readonly address: string;
  readonly isAdministrator: boolean;
  readonly isApprover: boolean;
};

type Claims = Readonly<Record<string, unknown>>;

const Address = z.email().max(254);

/**
 * Who the claims are of. Undefined without an address that the provider vouches for: approvers are known by theirs.
 * Roles are compared exactly: `administrator` is none.
 */
function identityOf(claims: Claims): Identity | undefined {
  const address = addressIn(claims);
  if (address === undefined) return undefined;
  const roles = rolesIn(claims);
  return {
    address,
    isAdministrator: roles.includes('Administrator'),
    isApprover: roles.includes('Approver'),
  };
}

// Entra ID has `email` for some accounts only, and says nothing of `email_verified`.
function addressIn({ email, email_verified: verified, preferred_username: username }: Claims) {
  // Account takeover: at some providers anybody writes any address into their profile. Some send the flag as text.
  if (verified !== undefined && verified !== true && verified !== 'true') return undefined;
  const { data } = Address.safeParse(email ?? username);
  return data === undefined ? undefined : addressOf(data);
}

function rolesIn(claims: Claims): readonly unknown[] {
  const name = settings['Idp:RolesClaim'];
  const given = Object.hasOwn(claims, name) ? claims[name] : [];
  return Array.isArray(given) ? given : [given];
}
