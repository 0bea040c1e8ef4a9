import type { Caller } from '../../../../shared/access/caller.ts';
import { cookieSessions } from '../../../../shared/access/cookie-sessions.ts';
import { settings } from '../../settings.ts';
import {
  isActiveOrganization,
  ORGANIZATIONS_OF,
  type Organization,
  recentOrganization,
} from '../places/organization.ts';
import { ROLE_OF } from './permissions.ts';
import { findMemberships, type Identity, isOf, type Member, type Membered, readMembers } from './roster.ts';

const HOUR_MS = 3_600_000;

/** What a session knows: who proved to be whom, and for which organization they work now. */
type MemberSession = {
  readonly identity: Identity;
  readonly organizationId: string;
  readonly memberId: string;
};

// A working day, as the sessions of operators last by default.
const WINDOW_MS = 8 * HOUR_MS;

/** The sessions of members. They last as those of operators do, from one use to the next. */
export const memberSessions = cookieSessions<MemberSession>({
  service: 'documents',
  kind: 'member',
  windowMs: () => WINDOW_MS,
  // Another provider ends them all: it may know other people by the same addresses.
  boundTo: () => settings['Idp:Authority'] ?? '',
});

/** Somebody who is logged in. */
export type SignedIn = {
  readonly member: Member;
  readonly organization: Organization;
  readonly identity: Identity;
  /** As domains know them: a key that is scoped to this organization, and has the role of the member. */
  readonly caller: Caller;
};

// The roster is read with every request:
//
//   owner   |--removes the member--|
//   member        |--a request: done--|--a request: to the log-in
//
// A change of a role acts on the next request as well.

/** Who is behind a cookie. Undefined where the session is over, the member removed or the organization deleted. */
export async function signedInBy(cookie: string, nowMs: number): Promise<SignedIn | undefined> {
  const session = await memberSessions.use(cookie, nowMs);
  if (!session) return undefined;
  const { organizationId, memberId, identity } = session;
  const [members, organization] = await Promise.all([
    readMembers(organizationId),
    recentOrganization(organizationId),
  ]);
  const member = members.find(({ id }) => id === memberId);
  // An address or CPF that was taken from a member no longer proves that somebody is this one.
  if (!member || !isOf(identity)(member) || !organization || !isActiveOrganization(organization))
    return undefined;
  return { member, organization, identity, caller: callerOf(organization, member) };
}

/** A member as the caller of a domain. */
export const callerOf = ({ id }: Pick<Organization, 'id'>, member: Member): Caller => ({
  application: member.email,
  person: { id: member.id, name: member.name },
  keyId: 'member',
  permissions: [],
  registered: { [ORGANIZATIONS_OF]: [id], [ROLE_OF]: [member.role] },
});

/** The organizations that somebody may work for, by name. */
export async function organizationsOf(
  identity: Identity,
): Promise<readonly (Membered & { readonly organization: Organization })[]> {
  const found = await Promise.all(
    (await findMemberships(identity)).map(async (membered) => ({
      ...membered,
      organization: await recentOrganization(membered.organizationId),
    })),
  );
  return found
    .flatMap(({ organization, ...membered }) =>
      organization && isActiveOrganization(organization) ? [{ ...membered, organization }] : [],
    )
    .toSorted((one, other) => one.organization.name.localeCompare(other.organization.name));
}

type LogInRequest = {
  readonly identity: Identity;
  /** The organization to begin with; the first by name where it is left out. */
  readonly organizationId?: string | undefined;
  /** The cookie that the browser has already. */
  readonly previous: string | undefined;
};

/** Starts a session for somebody whose identity is proven. Returns its cookie; undefined for nobody's member. */
export async function logIn(
  { identity, organizationId, previous }: LogInRequest,
  nowMs: number,
): Promise<string | undefined> {
  const known = await organizationsOf(identity);
  const first = known.find((each) => each.organizationId === organizationId) ?? known[0];
  if (!first) return undefined;
  const session = { identity, organizationId: first.organizationId, memberId: first.member.id };
  return memberSessions.start(previous, session, nowMs);
}

/** Goes on for another organization of the same person. False where they are no member of it. */
export async function changeOrganizationOf(
  cookie: string,
  { identity }: Pick<SignedIn, 'identity'>,
  organizationId: string,
  nowMs: number,
): Promise<boolean> {
  const chosen = (await organizationsOf(identity)).find((each) => each.organizationId === organizationId);
  if (!chosen) return false;
  await memberSessions.update(cookie, { organizationId, memberId: chosen.member.id }, nowMs);
  return true;
}
