import { organizationSwitch } from '../../../../../../shared/console/members/switch-organization.ts';
import { sessions } from '../../../../domain/members/sessions.ts';
import { organizationNotFound } from '../../../../domain/places/organization.ts';
import { consolePath } from '../../../pages/frame.ts';

/** The choice of another organization that the member works for. */
export const switching = organizationSwitch({ consolePath, sessions, notFound: organizationNotFound });
