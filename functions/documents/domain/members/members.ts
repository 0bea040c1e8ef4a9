import { randomUUID } from 'node:crypto';
import type { Caller } from '../../../../shared/access/caller.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { errors } from '../../errors.ts';
import { isoDate } from '../calendar.ts';
import { isInScope, organizationNotFound, requireActiveOrganization } from '../places/organization.ts';
import { inviting } from './member-mail.ts';
import { delisting, emailOf, enlisting, MAX_MEMBERS, type Member, readMembers, rosters } from './roster.ts';

type Scope = Pick<Caller, 'registered'>;

/** The members of an organization, owners first, then by name. */
export async function listMembers(caller: Scope, organizationId: string): Promise<readonly Member[]> {
  await requireOwn(caller, organizationId);
  return (await readMembers(organizationId)).toSorted(
    (one, other) =>
      Number(other.role === 'Owner') - Number(one.role === 'Owner') || one.name.localeCompare(other.name),
  );
}

export async function findMember(caller: Scope, organizationId: string, memberId: string): Promise<Member> {
  await requireOwn(caller, organizationId);
  return requireMember(await readMembers(organizationId), memberId);
}

export type InviteRequest = Pick<Member, 'name' | 'email' | 'cpf' | 'role'>;

/** Makes somebody a member, and has them told by mail. */
export const inviteMember = (
  caller: Scope,
  organizationId: string,
  request: InviteRequest,
  nowMs: number,
): Promise<Member> => addMember(caller, organizationId, request, nowMs, inviting);

type Announce = (organizationId: string, member: Member) => readonly Write[];

/** Makes somebody a member. Nobody is told unless `announce` gives the writes for it. */
export async function addMember(
  caller: Scope,
  organizationId: string,
  request: InviteRequest,
  nowMs: number,
  announce: Announce = () => [],
): Promise<Member> {
  const organization = await requireOwn(caller, organizationId);
  const email = emailOf(request.email);
  const member: Member = { ...request, email, id: randomUUID(), invitedAtMs: nowMs };
  await changeRoster(organizationId, (members) => {
    // A personal organization is one person.
    if (organization.identifier === null && members.length > 0)
      throw errors.refuse('OperationNotSupportedInPersonalOrganizations', { organizationId });
    // Whoever made the organization makes its first member, who must be able to make others.
    requireOwner([...members, member]);
    if (members.length >= MAX_MEMBERS) throw errors.refuse('MaxMembersLimitReached', { limit: MAX_MEMBERS });
    requireNew(members, member);
    return {
      members: [...members, member],
      also: [...enlisting(organizationId, member), ...announce(organizationId, member)],
    };
  });
  return member;
}

function requireNew(members: readonly Member[], { id, email, cpf }: Member): void {
  const others = members.filter((each) => each.id !== id);
  if (others.some((each) => each.email === email))
    throw errors.refuse('MemberAlreadyExists', { field: 'email' });
  if (cpf !== null && others.some((each) => each.cpf === cpf))
    throw errors.refuse('MemberAlreadyExists', { field: 'cpf' });
}

type ChangeRequest = Partial<Pick<Member, 'name' | 'cpf' | 'role'>>;

/** Changes a member. Their address stays: another address is another member. */
export async function changeMember(
  caller: Scope,
  organizationId: string,
  memberId: string,
  patch: ChangeRequest,
): Promise<Member> {
  await requireOwn(caller, organizationId);
  const after = await changeRoster(organizationId, (before) => {
    const current = requireMember(before, memberId);
    const changed = { ...current, ...patch };
    requireNew(before, changed);
    const members = before.map((each) => (each === current ? changed : each));
    requireOwner(members);
    const also =
      current.cpf === changed.cpf
        ? []
        : [...delistingCpf(organizationId, current), ...enlisting(organizationId, changed)];
    return { members, also };
  });
  return requireMember(after, memberId);
}

/** Only the CPF: a transaction has one write for each item, and the address stays. */
const delistingCpf = (organizationId: string, member: Member): Write[] =>
  delisting(organizationId, member).slice(1);

/** Removes a member, whose sessions end at once. */
export async function removeMember(caller: Scope, organizationId: string, memberId: string): Promise<void> {
  await requireOwn(caller, organizationId);
  await changeRoster(organizationId, (before) => {
    const current = requireMember(before, memberId);
    const members = before.filter((each) => each !== current);
    requireOwner(members);
    return { members, also: delisting(organizationId, current) };
  });
}

// A transaction has a hundred writes, and a member is found by two.
const DELISTED_AT_ONCE = 40;

/** Forgets the members of an organization that is deleted. Running it twice does no harm. */
export async function forgetMembers(organizationId: string): Promise<void> {
  const roster = await rosters.get(organizationId);
  if (!roster) return;
  const { members } = roster;
  for (let from = 0; from < members.length; from += DELISTED_AT_ONCE)
    await commit(
      members.slice(from, from + DELISTED_AT_ONCE).flatMap((member) => delisting(organizationId, member)),
    );
  await rosters.delete(roster);
}

function requireOwner(members: readonly Member[]): void {
  if (!members.some(({ role }) => role === 'Owner')) throw errors.refuse('LastOwner');
}

type RosterChange = { readonly members: readonly Member[]; readonly also: readonly Write[] };

// Both owners leave:
//
//   owner 1  |--reads: two owners------ leaves --|
//   owner 2     |--reads: two owners------ refused: another version --|--reads: one owner: LastOwner
//
// The roster is one item, so the version that was read is the condition that an owner is left.
const changeRoster = (
  organizationId: string,
  decide: (members: readonly Member[]) => RosterChange,
): Promise<readonly Member[]> =>
  retryOnConflict(
    async () => {
      const roster = await rosters.get(organizationId);
      const { members, also } = decide(roster?.members ?? []);
      if (roster) await rosters.change(roster, { members }, { also });
      else await rosters.create({ organizationId, members }, { also });
      return members;
    },
    { mayCreate: true },
  );

async function requireOwn(caller: Scope, organizationId: string) {
  if (!isInScope(caller, organizationId)) throw organizationNotFound(organizationId);
  return requireActiveOrganization(organizationId);
}

function requireMember(members: readonly Member[], memberId: string): Member {
  const found = members.find(({ id }) => id === memberId);
  if (found) return found;
  throw errors.refuse('MemberNotFound', { resourceName: 'Member', resourceId: memberId });
}

/** A member as answers show it. */
export const renderMember = ({ id, name, email, cpf, role, invitedAtMs }: Member) => ({
  id,
  name,
  email,
  identifier: cpf,
  role,
  invitedDate: isoDate(invitedAtMs),
});
