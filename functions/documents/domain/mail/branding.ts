import type { Branding } from '../../../../shared/brand/branding.ts';
import { senderOf } from '../../../../shared/mail/settings.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import { settings } from '../../settings.ts';
import type { LocatedDocument } from '../document/document.ts';
import { publicBrandingOf } from '../places/branding.ts';
import type { Organization } from '../places/organization.ts';
import { preferencesOf } from '../places/preferences.ts';

/** Who a message comes from, as people see it: the organization, or the name that mail comes from. */
export const senderBranding = (organization: Organization | undefined): Branding =>
  organization
    ? publicBrandingOf(organization)
    : { displayName: senderOf(settings['Mail:Smtp:From']).name, logoUrl: null, color: null };

/** The language of mail about a document: its own, or that of its organization. Undefined: both. */
export const mailLanguageOf = ({
  document,
  location,
}: Pick<LocatedDocument, 'document' | 'location'>): Language | undefined =>
  document.language ?? preferencesOf(location.organization).language ?? undefined;
