import type { MailBranding } from '../../../../shared/mail/letter.ts';
import { senderOf } from '../../../../shared/mail/settings.ts';
import { settings } from '../../settings.ts';
import type { Organization } from '../places/organization.ts';

/** Who a message comes from, as people see it: the organization, or the name that mail comes from. */
export const brandingOf = (organization: Organization | undefined): MailBranding => ({
  displayName: organization?.name ?? senderOf(settings['Mail:Smtp:From']).name,
});
