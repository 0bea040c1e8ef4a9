import { permissionTable } from '../../../../../shared/members/permissions.ts';
import { ROLES, type Role } from '../../roles.ts';

const EVERYBODY: readonly Role[] = ROLES;
const REGISTRARS: readonly Role[] = ['Administrador', 'Registrar'];
const ADMINISTRATORS: readonly Role[] = ['Administrador'];

/**
 * What each role may do: the one table of it. A page or form of the console names its operation, and an endpoint of the
 * API in `can`; both ask before anything is looked up, so that a refusal tells nothing of what exists.
 */
const PERMISSIONS = {
  /** Degrees, emissions, requests, transcripts, curriculums, lists, inspection files, restamps; with their files. */
  'items.read': EVERYBODY,
  'items.create': REGISTRARS,
  /** Annul, suspend, restore, send, accept, approve, reject, register, hand over and send again; and the links of signers. */
  'items.change': REGISTRARS,
  'organization.read': EVERYBODY,
  /** With the people who sign for them. */
  'institutes.read': EVERYBODY,
  'institutes.change': ADMINISTRATORS,
  'members.read': EVERYBODY,
  'members.change': ADMINISTRATORS,
  /** Their addresses may hold a secret. */
  'webhooks.read': ADMINISTRATORS,
  'webhooks.change': ADMINISTRATORS,
} as const satisfies Readonly<Record<string, readonly Role[]>>;

export type Operation = keyof typeof PERMISSIONS;

export const permissions = permissionTable<Role, Operation>(ROLES, PERMISSIONS);
export const { may, mayDo, roleOf, operations: OPERATIONS } = permissions;
