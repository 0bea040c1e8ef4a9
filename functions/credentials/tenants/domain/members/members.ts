import { memberOperations } from '../../../../../shared/members/change-members.ts';
import type { Member } from '../../../../../shared/members/member.ts';
import { invitingMember } from '../../../../../shared/members/member-mail.ts';
import { errors } from '../../../errors.ts';
import { settings } from '../../../settings.ts';
import type { Role } from '../../roles.ts';
import { type Organization, requireOrganization } from '../organization.ts';
import { memberRoster } from './sessions.ts';

/** Who is a member of an organization: listed, invited, changed and removed. */
export const memberChanges = memberOperations<Role, Organization>({
  owner: 'Administrador',
  rosters: memberRoster,
  requireOrganization,
  inviting: (organizationId, member) =>
    invitingMember({ service: 'credentials', settings }, organizationId, member),
  refusals: {
    lastOwner: () => errors.refuse('LastAdministrator'),
    notFound: (memberId) => errors.refuse('MemberNotFound', { resourceName: 'Member', resourceId: memberId }),
    alreadyExists: (field) => errors.refuse('MemberAlreadyExists', { field }),
    tooMany: (limit) => errors.refuse('MaxMembersLimitReached', { limit }),
  },
});

/** A member as answers show it. */
export const renderMember = ({ id, name, email, cpf, role, invitedAtMs }: Member<Role>) => ({
  ...{ id, name, email, identifier: cpf, role },
  invitedDate: new Date(invitedAtMs).toISOString(),
});
