import { type SignedIn as AnySignedIn, sessionsOfMembers } from '../../../../shared/members/sessions.ts';
import { settings } from '../../settings.ts';
import { isActiveOrganization, type Organization, readOrganization } from '../places/organization.ts';
import type { Role } from './permissions.ts';
import { memberRoster } from './roster.ts';

export { callerOf } from '../../../../shared/members/sessions.ts';

/** Somebody who is logged in. */
export type SignedIn = AnySignedIn<Role, Organization>;

export const sessions = sessionsOfMembers<Role, Organization>({
  service: 'documents',
  provider: () => settings['Idp:Authority'],
  rosters: memberRoster,
  async findOrganization(id) {
    const found = await readOrganization(id);
    return found && isActiveOrganization(found) ? found : undefined;
  },
});
export const { logIn } = sessions;
