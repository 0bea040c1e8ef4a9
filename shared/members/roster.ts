import type { ServiceName } from '../settings/names.ts';
import { collection } from '../store/collection.ts';
import { firstItems } from '../store/cursor.ts';
import type { Write } from '../store/write.ts';
import { type Identity, isOf, type Member } from './member.ts';

/**
 * The members of an organization, in one item: that one owner is left is then a condition on one version, and a member
 * who was removed is gone from what every request reads.
 */
export type Roster<Role extends string> = {
  readonly organizationId: string;
  readonly members: readonly Member<Role>[];
};

/** An item has 400 KB, and a member with the longest name and address about one. */
export const MAX_MEMBERS = 300;

type Membership = Identity & { readonly organizationId: string };

/** A member and the organization that they are one of. */
export type Membered<Role extends string> = {
  readonly organizationId: string;
  readonly member: Member<Role>;
};

const partitionOf = ({ kind, value }: Identity): string => `MEMBERSHIP#${kind}#${value}`;

const identitiesOf = ({ email, cpf }: Pick<Member, 'email' | 'cpf'>): readonly Identity[] => [
  { kind: 'email', value: email },
  ...(cpf === null ? [] : [{ kind: 'cpf', value: cpf } as const]),
];

// As many as a page offers to choose from. Nobody works for more.
const MAX_ORGANIZATIONS = 50;

export type Rosters<Role extends string> = ReturnType<typeof memberRosters<Role>>;

/**
 * The members of a service's organizations, as they are stored.
 * @example export const { rosters, readMembers } = memberRosters<Role>('documents');
 */
export function memberRosters<Role extends string>(service: ServiceName) {
  const rosters = collection<Roster<Role>, string>({
    service,
    name: 'members of organization',
    id: ({ organizationId }) => organizationId,
    key: (organizationId) => ({ pk: `ORGANIZATION#${organizationId}`, sk: 'MEMBERS' }),
  });

  // Whoever logs in names no organization. The rosters of those found here decide: an entry that is left over opens nothing.
  const memberships = collection<Membership, Membership>({
    service,
    name: 'membership',
    id: (membership) => membership,
    key: ({ kind, value, organizationId }) => ({ pk: partitionOf({ kind, value }), sk: organizationId }),
  });

  return {
    rosters,

    /** The members of an organization; none where it has none yet. */
    readMembers: async (organizationId: string): Promise<readonly Member<Role>[]> =>
      (await rosters.get(organizationId))?.members ?? [],

    /** The writes by which a member is found at a log-in, or no longer. */
    enlisting: (organizationId: string, member: Member<Role>): Write[] =>
      identitiesOf(member).map((identity) => memberships.putting({ ...identity, organizationId })),
    delisting: (organizationId: string, member: Member<Role>): Write[] =>
      identitiesOf(member).map((identity) => memberships.removing({ ...identity, organizationId })),

    /** The organizations that know somebody by this identity, by id. Deleted ones are among them. */
    async findMemberships(identity: Identity): Promise<readonly Membered<Role>[]> {
      const listed = await firstItems(memberships, { pk: partitionOf(identity) }, MAX_ORGANIZATIONS);
      const found = await rosters.getMany(listed.map(({ organizationId }) => organizationId));
      return found.flatMap(({ organizationId, members }) => {
        const member = members.find(isOf(identity));
        return member ? [{ organizationId, member }] : [];
      });
    },
  };
}
