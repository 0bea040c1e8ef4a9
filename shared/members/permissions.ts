import type { Caller } from '../access/caller.ts';

/** The kind under which the organizations of a caller are registered. */
export const ORGANIZATIONS_OF = 'organizations';

/** The kind under which the role of a caller is registered: of a member, or of an application that has one. */
export const ROLE_OF = 'role';

/**
 * What each role of a service's members may do, as one table. Roles are given mightiest first.
 * @example const { mayDo } = permissionTable(['Owner', 'Reader'], { 'members.change': ['Owner'] });
 *          mayDo('Reader', 'members.change') // false
 */
export function permissionTable<Role extends string, Operation extends string>(
  roles: readonly [Role, ...Role[]],
  permissions: Readonly<Record<Operation, readonly Role[]>>,
) {
  /** Whether a role may do something. */
  const mayDo = (role: Role, operation: Operation): boolean => permissions[operation].includes(role);

  /**
   * The role of a caller. An application that whoever runs the service registered has none written, and does for its
   * organizations what the mightiest may. A role that is not known is the least one.
   */
  const roleOf = ({ registered }: Pick<Caller, 'registered'>): Role => {
    const [given] = registered[ROLE_OF] ?? [roles[0]];
    return roles.find((role) => role === given) ?? roles.at(-1) ?? roles[0];
  };

  return {
    operations: Object.keys(permissions) as Operation[],
    mayDo,
    roleOf,

    /**
     * Whether the role of a caller lets it do something. Applications without a role may do all, and nobody may do what
     * has no row.
     */
    may: (caller: Caller, operation: Operation): boolean =>
      caller.registered[ROLE_OF] === undefined ||
      (Object.hasOwn(permissions, operation) && mayDo(roleOf(caller), operation)),

    /** Whether somebody with this role may give the other one to others: nobody gives more than they have. */
    mayGive: (role: Role, given: Role): boolean => roles.indexOf(role) <= roles.indexOf(given),
  };
}
