import { BrandingRequest } from '../../../../contract/organization/branding.ts';
import { PreferencesRequest } from '../../../../contract/organization/preferences.ts';
import { updateBranding } from '../../../../domain/places/branding.ts';
import { updateOrganizationMail } from '../../../../domain/places/organization-mail.ts';
import { updatePreferences } from '../../../../domain/places/preferences.ts';
import { leadTo } from '../../../pages/member-page.ts';
import { refusalOf, refusalText } from '../../../pages/refusals.ts';
import type { Form, Section } from '../../../visit.ts';
import { generalPage } from './general-page.ts';
import { generalWords } from './general-words.ts';
import { preferenceWords } from './preferences-card.ts';
import { switching } from './switching.ts';

/** A new logo as base64, null to remove the old one, undefined where it stays. */
const logoIn = (form: Form): string | null | undefined =>
  form.file('logo')?.toString('base64') ?? (form.has('removeLogo') ? null : undefined);

/** What the organization is and how it presents itself. */
export const general: Section = {
  pages: { organization: { operation: 'organization.read', show: (visit) => generalPage(visit) } },
  forms: {
    'organization/branding': {
      operation: 'organization.change',
      async submit(visit, _params, form) {
        const { caller, organization, language, nowMs } = visit;
        const fields = { displayName: form.text('displayName'), color: form.text('color').toLowerCase() };
        const read = BrandingRequest.safeParse({ ...fields, logo: logoIn(form) });
        const wrong = { form: 'branding', text: generalWords(language).brandingWrong } as const;
        if (!read.success) return generalPage(visit, wrong);
        const refused = await refusalOf(() => updateBranding(caller, organization.id, read.data, nowMs));
        return refused ? generalPage(visit, wrong) : leadTo('organization', 'branding');
      },
    },
    'organization/mail': {
      operation: 'organization.change',
      async submit(visit, _params, form) {
        const { caller, organization, language } = visit;
        const mail = { enabled: form.has('enabled'), requiresCode: form.has('requiresCode') };
        const refused = await refusalOf(() => updateOrganizationMail(caller, organization.id, mail));
        if (refused) return generalPage(visit, { form: 'mail', text: refusalText(refused, language) });
        return leadTo('organization', 'mail');
      },
    },
    'organization/preferences': {
      operation: 'organization.change',
      async submit(visit, _params, form) {
        const { caller, organization, language } = visit;
        const read = PreferencesRequest.safeParse({
          language: form.text('language'),
          mailSentence: form.text('mailSentence').replaceAll('\r\n', '\n'),
          signingWays: {
            ...{ cloud: form.has('cloud'), token: form.has('token'), electronic: form.has('electronic') },
          },
        });
        const wrong = { form: 'preferences', text: preferenceWords(language).wrong } as const;
        if (!read.success) return generalPage(visit, wrong);
        await updatePreferences(caller, organization.id, read.data);
        return leadTo('organization', 'preferences');
      },
    },
    ...switching.forms,
  },
};
