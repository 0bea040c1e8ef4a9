import {
  memberOperations,
  type InviteRequest as Request,
} from '../../../../shared/members/change-members.ts';
import { invitingMember } from '../../../../shared/members/member-mail.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';
import { isoDate } from '../calendar.ts';
import {
  isInScope,
  type Organization,
  organizationNotFound,
  requireActiveOrganization,
} from '../places/organization.ts';
import type { Role } from './permissions.ts';
import { type Member, memberRoster } from './roster.ts';

export type InviteRequest = Request<Role>;

export const memberChanges = memberOperations<Role, Organization>({
  owner: 'Owner',
  rosters: memberRoster,
  async requireOrganization(caller, organizationId) {
    if (!isInScope(caller, organizationId)) throw organizationNotFound(organizationId);
    return requireActiveOrganization(organizationId);
  },
  requireRoom({ id, identifier }, members) {
    // A personal organization is one person.
    if (identifier === null && members.length > 0)
      throw errors.refuse('OperationNotSupportedInPersonalOrganizations', { organizationId: id });
  },
  inviting: (organizationId, member) =>
    invitingMember({ service: 'documents', settings }, organizationId, member),
  refusals: {
    lastOwner: () => errors.refuse('LastOwner'),
    notFound: (memberId) => errors.refuse('MemberNotFound', { resourceName: 'Member', resourceId: memberId }),
    alreadyExists: (field) => errors.refuse('MemberAlreadyExists', { field }),
    tooMany: (limit) => errors.refuse('MaxMembersLimitReached', { limit }),
  },
});

export const { addMember, listMembers, findMember, inviteMember, changeMember, removeMember, forgetMembers } =
  memberChanges;

/** A member as answers show it. */
export const renderMember = ({ id, name, email, cpf, role, invitedAtMs }: Member) => ({
  id,
  name,
  email,
  identifier: cpf,
  role,
  invitedDate: isoDate(invitedAtMs),
});
