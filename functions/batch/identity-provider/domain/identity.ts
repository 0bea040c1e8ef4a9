import * as z from 'zod';
import { addressOf } from '../../profiles/domain/approvers.ts';
import { settings } from '../../settings.ts';

/** A person, by the claims of an ID token. */
export type Identity = {
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
export function identityOf(claims: Claims): Identity | undefined {
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
