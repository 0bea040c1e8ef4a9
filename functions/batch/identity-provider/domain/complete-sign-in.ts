import { type Claims, endSignIn } from '../../../../shared/access/identity-provider/sign-in.ts';
import { approverSessions } from '../../approvals/approver-sessions.ts';
import { basePath, safeReturnPath } from '../../auth/domain/return-path.ts';
import { operatorSessions } from '../../config/operator-sessions.ts';
import { addressOf } from '../../profiles/domain/approvers.ts';
import { settings } from '../../settings.ts';
import { batchClient } from './client.ts';

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
  const ended = await endSignIn(batchClient, request, nowMs);
  if (ended.outcome === 'failed') return ended;
  const identity = identityOf(ended);
  if (!identity.isAdministrator && !identity.isApprover)
    return { outcome: 'noRole', address: identity.address };
  return {
    outcome: 'signedIn',
    ...(await startSessions(identity, request, nowMs)),
    location: locationFor(identity, ended.returnPath),
  };
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

/** Who the claims are of. Roles are compared exactly: `administrator` is none. */
function identityOf({ address, claims }: { readonly address: string; readonly claims: Claims }): Identity {
  const roles = rolesIn(claims);
  return {
    address: addressOf(address),
    isAdministrator: roles.includes('Administrator'),
    isApprover: roles.includes('Approver'),
  };
}

function rolesIn(claims: Claims): readonly unknown[] {
  const name = settings['Idp:RolesClaim'];
  const given = Object.hasOwn(claims, name) ? claims[name] : [];
  return Array.isArray(given) ? given : [given];
}
