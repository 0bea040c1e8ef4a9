import { collection } from '../../../../shared/store/collection.ts';
import { firstItems } from '../../../../shared/store/cursor.ts';
import type { Write } from '../../../../shared/store/write.ts';
import type { Role } from './permissions.ts';

/** A person who works for an organization. */
export type Member = {
  /** Another one when somebody who was removed is invited again: sessions are of an id. */
  readonly id: string;
  readonly name: string;
  /** In lower case. No two members of an organization have the same. */
  readonly email: string;
  readonly cpf: string | null;
  readonly role: Role;
  readonly invitedAtMs: number;
};

/**
 * The members of an organization, in one item: that one owner is left is then a condition on one version, and a member
 * who was removed is gone from what every request reads.
 */
export type Roster = { readonly organizationId: string; readonly members: readonly Member[] };

/** An item has 400 KB, and a member with the longest name and address about one. */
export const MAX_MEMBERS = 300;

export const rosters = collection<Roster, string>({
  service: 'documents',
  name: 'members of organization',
  id: ({ organizationId }) => organizationId,
  key: (organizationId) => ({ pk: `ORGANIZATION#${organizationId}`, sk: 'MEMBERS' }),
});

/** The members of an organization; none where it has none yet. */
export const readMembers = async (organizationId: string): Promise<readonly Member[]> =>
  (await rosters.get(organizationId))?.members ?? [];

/** How somebody proved who they are when they logged in. */
export type Identity = { readonly kind: 'email' | 'cpf'; readonly value: string };

/** An address as members are found by it. @example emailOf(' Ana@Example.com ') // 'ana@example.com' */
export const emailOf = (text: string): string => text.trim().toLowerCase();

type Membership = Identity & { readonly organizationId: string };

// Whoever logs in names no organization. The rosters of those found here decide: an entry that is left over opens nothing.
const memberships = collection<Membership, Membership>({
  service: 'documents',
  name: 'membership',
  id: (membership) => membership,
  key: ({ kind, value, organizationId }) => ({ pk: partitionOf({ kind, value }), sk: organizationId }),
});
const partitionOf = ({ kind, value }: Identity): string => `MEMBERSHIP#${kind}#${value}`;

const identitiesOf = ({ email, cpf }: Pick<Member, 'email' | 'cpf'>): readonly Identity[] => [
  { kind: 'email', value: email },
  ...(cpf === null ? [] : [{ kind: 'cpf', value: cpf } as const]),
];

/** The writes by which a member is found at a log-in, or no longer. */
export const enlisting = (organizationId: string, member: Member): Write[] =>
  identitiesOf(member).map((identity) => memberships.putting({ ...identity, organizationId }));
export const delisting = (organizationId: string, member: Member): Write[] =>
  identitiesOf(member).map((identity) => memberships.removing({ ...identity, organizationId }));

/** A member and the organization that they are one of. */
export type Membered = { readonly organizationId: string; readonly member: Member };

export const isOf =
  ({ kind, value }: Identity) =>
  (member: Member): boolean =>
    member[kind] === value;

// As many as a page offers to choose from. Nobody works for more.
const MAX_ORGANIZATIONS = 50;

/** The organizations that know somebody by this identity, by id. Deleted ones are among them. */
export async function findMemberships(identity: Identity): Promise<readonly Membered[]> {
  const listed = await firstItems(memberships, { pk: partitionOf(identity) }, MAX_ORGANIZATIONS);
  const found = await rosters.getMany(listed.map(({ organizationId }) => organizationId));
  return found.flatMap(({ organizationId, members }) => {
    const member = members.find(isOf(identity));
    return member ? [{ organizationId, member }] : [];
  });
}
