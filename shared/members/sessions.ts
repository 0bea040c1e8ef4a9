import type { Caller } from '../access/caller.ts';
import { cookieSessions } from '../access/cookie-sessions.ts';
import type { ServiceName } from '../settings/names.ts';
import { type Identity, isOf, type Member } from './member.ts';
import { ORGANIZATIONS_OF, ROLE_OF } from './permissions.ts';
import type { Membered, Rosters } from './roster.ts';

const HOUR_MS = 3_600_000;

/** What a session knows: who proved to be whom, and for which organization they work now. */
type MemberSession = {
  readonly identity: Identity;
  readonly organizationId: string;
  readonly memberId: string;
};

// A working day, as the sessions of operators last by default.
const WINDOW_MS = 8 * HOUR_MS;

/** What members need to know of the organization that they work for. */
export type MembersOrganization = { readonly id: string; readonly name: string };

/** Somebody who is logged in. */
export type SignedIn<Role extends string, Organization extends MembersOrganization> = {
  readonly member: Member<Role>;
  readonly organization: Organization;
  readonly identity: Identity;
  /** As domains know them: a key that is scoped to this organization, and has the role of the member. */
  readonly caller: Caller;
};

/** A member as the caller of a domain. */
export const callerOf = ({ id }: Pick<MembersOrganization, 'id'>, member: Member): Caller => ({
  application: member.email,
  person: { id: member.id, name: member.name },
  keyId: 'member',
  permissions: [],
  registered: { [ORGANIZATIONS_OF]: [id], [ROLE_OF]: [member.role] },
});

type LogInRequest = {
  readonly identity: Identity;
  /** The organization to begin with; the first by name where it is left out. */
  readonly organizationId?: string | undefined;
  /** The cookie that the browser has already. */
  readonly previous: string | undefined;
};

type SessionOptions<Role extends string, Organization extends MembersOrganization> = {
  readonly service: ServiceName;
  /** The provider of identities. Another one ends all sessions: it may know other people by the same addresses. */
  readonly provider: () => string | undefined;
  readonly rosters: Pick<Rosters<Role>, 'readMembers' | 'findMemberships'>;
  /** An organization that people may work for; undefined for one that is gone. */
  readonly findOrganization: (id: string) => Promise<Organization | undefined>;
};

export type MemberSessions<Role extends string, Organization extends MembersOrganization> = ReturnType<
  typeof sessionsOfMembers<Role, Organization>
>;

/**
 * The sessions of a service's members. They last as those of operators do, from one use to the next.
 * @example const { logIn, signedInBy } = sessionsOfMembers<Role, Organization>({ service: 'documents', … });
 */
export function sessionsOfMembers<Role extends string, Organization extends MembersOrganization>({
  service,
  provider,
  rosters: { readMembers, findMemberships },
  findOrganization,
}: SessionOptions<Role, Organization>) {
  const memberSessions = cookieSessions<MemberSession>({
    service,
    kind: 'member',
    windowMs: () => WINDOW_MS,
    boundTo: () => provider() ?? '',
  });

  /** The organizations that somebody may work for, by name. */
  async function organizationsOf(
    identity: Identity,
  ): Promise<readonly (Membered<Role> & { readonly organization: Organization })[]> {
    const found = await Promise.all(
      (await findMemberships(identity)).map(async (membered) => ({
        ...membered,
        organization: await findOrganization(membered.organizationId),
      })),
    );
    return found
      .flatMap(({ organization, ...membered }) => (organization ? [{ ...membered, organization }] : []))
      .toSorted((one, other) => one.organization.name.localeCompare(other.organization.name));
  }

  return {
    memberSessions,
    organizationsOf,

    // The roster is read with every request:
    //
    //   owner   |--removes the member--|
    //   member        |--a request: done--|--a request: to the log-in
    //
    // A change of a role acts on the next request as well.

    /** Who is behind a cookie. Undefined where the session is over, the member removed or the organization deleted. */
    async signedInBy(cookie: string, nowMs: number): Promise<SignedIn<Role, Organization> | undefined> {
      const session = await memberSessions.use(cookie, nowMs);
      if (!session) return undefined;
      const { organizationId, memberId, identity } = session;
      const [members, organization] = await Promise.all([
        readMembers(organizationId),
        findOrganization(organizationId),
      ]);
      const member = members.find(({ id }) => id === memberId);
      // An address or CPF that was taken from a member no longer proves that somebody is this one.
      if (!member || !isOf(identity)(member) || !organization) return undefined;
      return { member, organization, identity, caller: callerOf(organization, member) };
    },

    /** Starts a session for somebody whose identity is proven. Returns its cookie; undefined for nobody's member. */
    async logIn(
      { identity, organizationId, previous }: LogInRequest,
      nowMs: number,
    ): Promise<string | undefined> {
      const known = await organizationsOf(identity);
      const first = known.find((each) => each.organizationId === organizationId) ?? known[0];
      if (!first) return undefined;
      const session = { identity, organizationId: first.organizationId, memberId: first.member.id };
      return memberSessions.start(previous, session, nowMs);
    },

    /** Goes on for another organization of the same person. False where they are no member of it. */
    async changeOrganizationOf(
      cookie: string,
      { identity }: { readonly identity: Identity },
      organizationId: string,
      nowMs: number,
    ): Promise<boolean> {
      const chosen = (await organizationsOf(identity)).find((each) => each.organizationId === organizationId);
      if (!chosen) return false;
      await memberSessions.update(cookie, { organizationId, memberId: chosen.member.id }, nowMs);
      return true;
    },
  };
}
