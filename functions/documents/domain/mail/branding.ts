import type { Branding } from '../../../../shared/brand/branding.ts';
import { senderOf } from '../../../../shared/mail/settings.ts';
import { settings } from '../../settings.ts';
import { publicBrandingOf } from '../places/branding.ts';
import type { Organization } from '../places/organization.ts';

/** Who a message comes from, as people see it: the organization, or the name that mail comes from. */
export const senderBranding = (organization: Organization | undefined): Branding =>
  organization
    ? publicBrandingOf(organization)
    : { displayName: senderOf(settings['Mail:Smtp:From']).name, logoUrl: null, color: null };
