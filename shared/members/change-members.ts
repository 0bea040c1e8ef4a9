import { randomUUID } from 'node:crypto';
import type { Caller } from '../access/caller.ts';
import type { Refusal } from '../errors/errors.ts';
import { commit } from '../store/commit.ts';
import { retryOnConflict } from '../store/retry-on-conflict.ts';
import type { Write } from '../store/write.ts';
import { emailOf, type Member } from './member.ts';
import { MAX_MEMBERS, type Rosters } from './roster.ts';
import type { MembersOrganization } from './sessions.ts';

type Scope = Pick<Caller, 'registered'>;

export type InviteRequest<Role extends string> = Pick<Member<Role>, 'name' | 'email' | 'cpf' | 'role'>;
type ChangeRequest<Role extends string> = Partial<Pick<Member<Role>, 'name' | 'cpf' | 'role'>>;

type Announce<Role extends string> = (organizationId: string, member: Member<Role>) => readonly Write[];

type MemberRules<Role extends string, Organization extends MembersOrganization> = {
  /** The role that one member has at all times: who has it can make others members. */
  readonly owner: Role;
  readonly rosters: Rosters<Role>;
  /** An organization of the caller's. Any other does not exist. */
  readonly requireOrganization: (caller: Scope, organizationId: string) => Promise<Organization>;
  /** Refuses another member of an organization that may have none. */
  readonly requireRoom?: (organization: Organization, members: readonly Member<Role>[]) => void;
  /** Tells somebody by mail that they are a member. */
  readonly inviting: Announce<Role>;
  /** The refusals in the words of the service. */
  readonly refusals: {
    readonly lastOwner: () => Refusal;
    readonly notFound: (memberId: string) => Refusal;
    readonly alreadyExists: (field: 'email' | 'cpf') => Refusal;
    readonly tooMany: (limit: number) => Refusal;
  };
};

type RosterChange<Role extends string> = {
  readonly members: readonly Member<Role>[];
  readonly also: readonly Write[];
};

// A transaction has a hundred writes, and a member is found by two.
const DELISTED_AT_ONCE = 40;

/**
 * Who is a member of a service's organizations: listed, invited, changed and removed.
 * @example export const { inviteMember, removeMember } = memberOperations<Role, Organization>({ owner: 'Owner', … });
 */
export function memberOperations<Role extends string, Organization extends MembersOrganization>({
  owner,
  rosters: { rosters, readMembers, enlisting, delisting },
  requireOrganization,
  requireRoom = () => undefined,
  inviting,
  refusals,
}: MemberRules<Role, Organization>) {
  // Both owners leave:
  //
  //   owner 1  |--reads: two owners------ leaves --|
  //   owner 2     |--reads: two owners------ refused: another version --|--reads: one owner: LastOwner
  //
  // The roster is one item, so the version that was read is the condition that an owner is left.
  const changeRoster = (
    organizationId: string,
    decide: (members: readonly Member<Role>[]) => RosterChange<Role>,
  ): Promise<readonly Member<Role>[]> =>
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

  function requireOwner(members: readonly Member<Role>[]): void {
    if (!members.some(({ role }) => role === owner)) throw refusals.lastOwner();
  }

  function requireMember(members: readonly Member<Role>[], memberId: string): Member<Role> {
    const found = members.find(({ id }) => id === memberId);
    if (found) return found;
    throw refusals.notFound(memberId);
  }

  function requireNew(members: readonly Member<Role>[], { id, email, cpf }: Member<Role>): void {
    const others = members.filter((each) => each.id !== id);
    if (others.some((each) => each.email === email)) throw refusals.alreadyExists('email');
    if (cpf !== null && others.some((each) => each.cpf === cpf)) throw refusals.alreadyExists('cpf');
  }

  /** Only the CPF: a transaction has one write for each item, and the address stays. */
  const delistingCpf = (organizationId: string, member: Member<Role>): Write[] =>
    delisting(organizationId, member).slice(1);

  /** Makes somebody a member. Nobody is told unless `announce` gives the writes for it. */
  async function addMember(
    caller: Scope,
    organizationId: string,
    request: InviteRequest<Role>,
    nowMs: number,
    announce: Announce<Role> = () => [],
  ): Promise<Member<Role>> {
    const organization = await requireOrganization(caller, organizationId);
    const email = emailOf(request.email);
    const member: Member<Role> = { ...request, email, id: randomUUID(), invitedAtMs: nowMs };
    await changeRoster(organizationId, (members) => {
      requireRoom(organization, members);
      // Whoever made the organization makes its first member, who must be able to make others.
      requireOwner([...members, member]);
      if (members.length >= MAX_MEMBERS) throw refusals.tooMany(MAX_MEMBERS);
      requireNew(members, member);
      return {
        members: [...members, member],
        also: [...enlisting(organizationId, member), ...announce(organizationId, member)],
      };
    });
    return member;
  }

  return {
    addMember,

    /** The members of an organization, owners first, then by name. */
    async listMembers(caller: Scope, organizationId: string): Promise<readonly Member<Role>[]> {
      await requireOrganization(caller, organizationId);
      return (await readMembers(organizationId)).toSorted(
        (one, other) =>
          Number(other.role === owner) - Number(one.role === owner) || one.name.localeCompare(other.name),
      );
    },

    async findMember(caller: Scope, organizationId: string, memberId: string): Promise<Member<Role>> {
      await requireOrganization(caller, organizationId);
      return requireMember(await readMembers(organizationId), memberId);
    },

    /** Makes somebody a member, and has them told by mail. */
    inviteMember: (
      caller: Scope,
      organizationId: string,
      request: InviteRequest<Role>,
      nowMs: number,
    ): Promise<Member<Role>> => addMember(caller, organizationId, request, nowMs, inviting),

    /** Changes a member. Their address stays: another address is another member. */
    async changeMember(
      caller: Scope,
      organizationId: string,
      memberId: string,
      patch: ChangeRequest<Role>,
    ): Promise<Member<Role>> {
      await requireOrganization(caller, organizationId);
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
    },

    /** Removes a member, whose sessions end at once. */
    async removeMember(caller: Scope, organizationId: string, memberId: string): Promise<void> {
      await requireOrganization(caller, organizationId);
      await changeRoster(organizationId, (before) => {
        const current = requireMember(before, memberId);
        const members = before.filter((each) => each !== current);
        requireOwner(members);
        return { members, also: delisting(organizationId, current) };
      });
    },

    /** Forgets the members of an organization that is deleted. Running it twice does no harm. */
    async forgetMembers(organizationId: string): Promise<void> {
      const roster = await rosters.get(organizationId);
      if (!roster) return;
      const { members } = roster;
      for (let from = 0; from < members.length; from += DELISTED_AT_ONCE)
        await commit(
          members.slice(from, from + DELISTED_AT_ONCE).flatMap((member) => delisting(organizationId, member)),
        );
      await rosters.delete(roster);
    },
  };
}
