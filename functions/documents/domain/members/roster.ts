import type { Member as AnyMember } from '../../../../shared/members/member.ts';
import { memberRosters } from '../../../../shared/members/roster.ts';
import type { Role } from './permissions.ts';

export { MAX_MEMBERS } from '../../../../shared/members/roster.ts';

/** A person who works for an organization. */
export type Member = AnyMember<Role>;

export const memberRoster = memberRosters<Role>('documents');
export const { rosters, readMembers, findMemberships } = memberRoster;
