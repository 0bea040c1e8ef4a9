import { html } from 'hono/html';
import { basePathOf } from '../../../../../../shared/access/return-path.ts';
import type { Answer } from '../../../../../../shared/http/response/answer.ts';
import type { Markup } from '../../../../../../shared/ui/page.ts';
import { checkBox, factList, givenText, problemBox, textField } from '../../../../../../shared/ui/parts.ts';
import { mayDo } from '../../../../domain/members/permissions.ts';
import { brandingOf } from '../../../../domain/places/branding.ts';
import { formatCnpj } from '../../../../pages/format.ts';
import { consolePath } from '../../../pages/frame.ts';
import { memberPage } from '../../../pages/member-page.ts';
import { roleWords } from '../../../pages/role-words.ts';
import type { Visit } from '../../../visit.ts';
import { tabs, tabTitle } from '../tabs.ts';
import { generalWords } from './general-words.ts';
import { preferencesCard, preferenceWords } from './preferences-card.ts';
import { switching } from './switching.ts';

/** What is wrong with a form that was sent. */
export type GeneralProblem = { readonly form: 'branding' | 'mail' | 'preferences'; readonly text: string };

/** The organization: what it is, how it presents itself, and the mail of its documents. */
export async function generalPage(visit: Visit, problem?: GeneralProblem): Promise<Answer> {
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
