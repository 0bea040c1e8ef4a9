import type { Caller } from '../../../../shared/access/caller.ts';
import { ROLES } from '../../contract/organization/members.ts';

export { ROLES };
export type Role = (typeof ROLES)[number];

const EVERYBODY: readonly Role[] = ROLES;
const SENDERS: readonly Role[] = ['Owner', 'Manager', 'Member'];
const MANAGERS: readonly Role[] = ['Owner', 'Manager'];
const OWNERS: readonly Role[] = ['Owner'];

/**
 * What each role may do: the one table of it. A page or form of the console names its operation (console/visit.ts), and a
 * route of the API has one in operations.ts; both ask `mayDo`, before anything is looked up, so that a refusal tells
 * nothing of what exists.
 */
const PERMISSIONS = {
  'documents.read': EVERYBODY,
  'documents.send': SENDERS,
  /** Cancel, remind, move, correct, and links of signers. */
  'documents.change': SENDERS,
  'documents.delete': MANAGERS,
  'templates.read': EVERYBODY,
  'templates.change': SENDERS,
  'folders.change': SENDERS,
  'organization.read': EVERYBODY,
  'organization.change': MANAGERS,
  /** It signs in the name of the organization. */
  'seal.change': OWNERS,
  'members.read': EVERYBODY,
  'members.change': OWNERS,
  'webhooks.read': MANAGERS,
  'webhooks.change': MANAGERS,
  'applications.read': MANAGERS,
  'applications.change': MANAGERS,
  'usage.read': MANAGERS,
} as const satisfies Readonly<Record<string, readonly Role[]>>;

export type Operation = keyof typeof PERMISSIONS;

export const OPERATIONS = Object.keys(PERMISSIONS) as Operation[];

/** Whether a role may do something. @example mayDo('Reader', 'documents.send') // false */
export const mayDo = (role: Role, operation: Operation): boolean =>
  (PERMISSIONS[operation] as readonly Role[]).includes(role);

/** Whether somebody with this role may give the other one to others: nobody gives more than they have. */
export const mayGive = (role: Role, given: Role): boolean => ROLES.indexOf(role) <= ROLES.indexOf(given);

/** The kind under which the role of an application is registered that an organization made for itself. */
export const ROLE_OF = 'role';

/**
 * The role of a caller. An application that whoever runs the service registered has none written, and does for its
 * organizations what an owner may. A role that is not known is the least one.
 */
export const roleOf = ({ registered }: Pick<Caller, 'registered'>): Role => {
  const [given] = registered[ROLE_OF] ?? ['Owner'];
  return ROLES.find((role) => role === given) ?? 'Reader';
};
