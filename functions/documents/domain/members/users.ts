import type { Caller } from '../../../../shared/access/caller.ts';
import { containsText } from '../../../../shared/store/lists/contains-text.ts';
import type { PageRequest } from '../lists/list-page.ts';
import { requireHomeOrganization } from '../places/organization.ts';
import { inviteMember, listMembers, removeMember } from './members.ts';
import type { Role } from './permissions.ts';
import type { Member } from './roster.ts';

/** A role as public client libraries write it. */
type AccessProfile = {
  readonly [flag in 'administrator' | 'manager' | 'operator']?: boolean | null | undefined;
};

const roleIn = ({ administrator, manager, operator }: AccessProfile): Role =>
  administrator ? 'Owner' : manager ? 'Manager' : operator ? 'Member' : 'Reader';

export const renderUser = ({ id, name, email, cpf, role }: Member) => ({
  id,
  name,
  email,
  identifier: cpf,
  accessProfile: {
    administrator: role === 'Owner',
    manager: role === 'Manager',
    operator: role === 'Member',
  },
});

type UsersRequest = Pick<PageRequest, 'limit' | 'offset' | 'order'> & { readonly q?: string | undefined };

/** A page of the members of the key's organization. They fit into one item, so that a page has an offset alone. */
export async function listUsers(caller: Caller, { limit, offset, order, q }: UsersRequest) {
  const members = await listMembers(caller, await requireHomeOrganization(caller));
  const found = members
    .filter(({ name, email }) => q === undefined || containsText(q, [name, email]))
    .toSorted((one, other) => (one.invitedAtMs - other.invitedAtMs) * (order === 'Asc' ? 1 : -1));
  const items = found.slice(offset * limit, (offset + 1) * limit).map(renderUser);
  return { items, totalCount: found.length, nextCursor: null };
}

type UserRequest = Pick<Member, 'name' | 'email'> & {
  readonly identifier: string | null;
  readonly accessProfile?: AccessProfile | null | undefined;
};

export async function createUser(caller: Caller, request: UserRequest, nowMs: number): Promise<Member> {
  const { name, email, identifier: cpf, accessProfile } = request;
  const invitation = { name, email, cpf, role: roleIn(accessProfile ?? {}) };
  return inviteMember(caller, await requireHomeOrganization(caller), invitation, nowMs);
}

export const deleteUser = async (caller: Caller, userId: string): Promise<void> =>
  removeMember(caller, await requireHomeOrganization(caller), userId);
