import { permissionTable, ROLE_OF } from '../../../../shared/members/permissions.ts';
import { ROLES } from '../../contract/organization/roles.ts';

export { ROLE_OF, ROLES };
export type Role = (typeof ROLES)[number];

const EVERYBODY: readonly Role[] = ROLES;
const SENDERS: readonly Role[] = ['Owner', 'Manager', 'Member'];
const MANAGERS: readonly Role[] = ['Owner', 'Manager'];
const OWNERS: readonly Role[] = ['Owner'];

/**
 * What each role may do: the one table of it. A page or form of the console names its operation (console/visit.ts), and
 * an endpoint of the API in `can`; both ask before anything is looked up, so that a refusal tells nothing of what exists.
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

export const permissions = permissionTable<Role, Operation>(ROLES, PERMISSIONS);
export const { may, mayDo, mayGive, roleOf, operations: OPERATIONS } = permissions;
