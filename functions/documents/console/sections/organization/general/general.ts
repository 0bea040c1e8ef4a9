import { html } from 'hono/html';
import { basePathOf } from '../../../../../../shared/access/return-path.ts';
import { organizationSwitch } from '../../../../../../shared/console/members/switch-organization.ts';
import type { Answer } from '../../../../../../shared/http/response/answer.ts';
import type { Markup } from '../../../../../../shared/ui/page.ts';
import { checkBox, factList, givenText, problemBox, textField } from '../../../../../../shared/ui/parts.ts';
import { BrandingRequest } from '../../../../contract/organization/branding.ts';
import { PreferencesRequest } from '../../../../contract/organization/preferences.ts';
import { mayDo } from '../../../../domain/members/permissions.ts';
import { sessions } from '../../../../domain/members/sessions.ts';
import { brandingOf, updateBranding } from '../../../../domain/places/branding.ts';
import { organizationNotFound } from '../../../../domain/places/organization.ts';
import { updateOrganizationMail } from '../../../../domain/places/organization-mail.ts';
import { updatePreferences } from '../../../../domain/places/preferences.ts';
import { formatCnpj } from '../../../../pages/format.ts';
import { consolePath } from '../../../pages/frame.ts';
import { leadTo, memberPage } from '../../../pages/member-page.ts';
import { refusalOf, refusalText } from '../../../pages/refusals.ts';
import { roleWords } from '../../../pages/role-words.ts';
import type { Form, Section, Visit } from '../../../visit.ts';
import { tabs, tabTitle } from '../tabs.ts';
import { generalWords } from './general-words.ts';
import { preferencesCard, preferenceWords } from './preferences-card.ts';

/** The choice of another organization that the member works for. */
const switching = organizationSwitch({ consolePath, sessions, notFound: organizationNotFound });

/** What is wrong with a form that was sent. */
type GeneralProblem = { readonly form: 'branding' | 'mail' | 'preferences'; readonly text: string };

/** The organization: what it is, how it presents itself, and the mail of its documents. */
async function generalPage(visit: Visit, problem?: GeneralProblem): Promise<Answer> {
  const { language, organization, member } = visit;
  const words = generalWords(language);
  const mayChange = mayDo(member.role, 'organization.change');
  return memberPage(visit, {
    title: tabTitle(visit, 'general'),
    current: 'organization',
    address: consolePath('organization'),
    ...(problem && { status: 422 }),
    done: { branding: words.brandingDone, mail: words.mailDone, preferences: preferenceWords(language).done },
    body: html`${tabs(visit, 'general')}
<section class="card">${factList([
      [words.name, givenText(organization.name)],
      ['CNPJ', organization.identifier === null ? words.personal : formatCnpj(organization.identifier)],
      [words.yourRole, roleWords(language)[member.role]],
    ])}</section>
${await switching.switchCard(visit)}
${mayChange ? html`${brandingCard(visit, problem)}${mailCard(visit, problem)}${preferencesCard(visit, problem?.form === 'preferences' ? problem.text : undefined)}` : ''}`,
  });
}

const problemIn = (problem: GeneralProblem | undefined, form: GeneralProblem['form']) =>
  problemBox(problem?.form === form ? problem.text : undefined);

function brandingCard({ organization, language }: Visit, problem: GeneralProblem | undefined): Markup {
  const words = generalWords(language);
  const { logoUrl } = brandingOf(organization);
  const { displayName = null, color = null } = organization.branding ?? {};
  return html`<section class="card" aria-labelledby="branding"><h2 id="branding">${words.branding}</h2>
<p class="faint">${words.brandingHint}</p>
<form class="stack" method="post" enctype="multipart/form-data" action="${consolePath('organization/branding')}">
${problemIn(problem, 'branding')}
<div class="row">
${textField({ id: 'displayName', label: words.displayName, value: displayName ?? '', hint: words.displayNameHint, attributes: html` maxlength="80"` })}
${textField({ id: 'color', label: words.color, value: color ?? '', hint: words.colorHint, attributes: html` maxlength="7" placeholder="#1f4f82"` })}
</div>
${logoUrl === null ? '' : html`<p><img class="logo" src="${basePathOf('documents')}/${logoUrl}" alt="${words.logo}"></p>${checkBox({ id: 'removeLogo', label: words.removeLogo, isChecked: false })}`}
<div class="field"><label for="logo">${words.newLogo}</label>
<input id="logo" name="logo" type="file" accept="image/png,image/jpeg" aria-describedby="logo-hint">
<p class="faint" id="logo-hint">${words.logoHint}</p></div>
<div class="actions"><button class="button">${words.save}</button></div>
</form></section>`;
}

function mailCard({ organization, language }: Visit, problem: GeneralProblem | undefined): Markup {
  const words = generalWords(language);
  const { enabled = false, requiresCode = false } = organization.mail ?? {};
  return html`<section class="card" aria-labelledby="mail"><h2 id="mail">${words.mail}</h2>
<form class="stack" method="post" action="${consolePath('organization/mail')}">
${problemIn(problem, 'mail')}
${checkBox({ id: 'enabled', label: words.mailEnabled, hint: words.mailEnabledHint, isChecked: enabled })}
${checkBox({ id: 'requiresCode', label: words.requiresCode, hint: words.requiresCodeHint, isChecked: requiresCode })}
<div class="actions"><button class="button">${words.save}</button></div>
</form></section>`;
}

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
