import { memberRosters } from '../../../../../shared/members/roster.ts';
import { sessionsOfMembers } from '../../../../../shared/members/sessions.ts';
import { settings } from '../../../settings.ts';
import type { Role } from '../../roles.ts';
import { type Organization, readOrganization } from '../organization.ts';

/** Who works for which organization. */
export const memberRoster = memberRosters<Role>('credentials');

export const sessions = sessionsOfMembers<Role, Organization>({
  service: 'credentials',
  provider: () => settings['Idp:Authority'],
  rosters: memberRoster,
  findOrganization: readOrganization,
});
