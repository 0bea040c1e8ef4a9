import { html } from 'hono/html';
import type { Language } from '../../../../shared/ui/languages.ts';
import type { Markup } from '../../../../shared/ui/page.ts';
import { type WayOptions, wayFields } from '../../../../shared/ui/ways/way-fields.ts';
import type { ActionDetails } from '../../contract/signing/action-details.ts';
import { formatCnpj } from '../format.ts';
import { closedPanel } from './closed-panel.ts';
import { electronicPanel } from './electronic-panel.ts';
import { electronicWords } from './electronic-words.ts';
import { actionWords } from './words.ts';

/** The form of the person's action, or why there is nothing to do. */
export const actionPanel = (
  details: ActionDetails,
  addresses: Parameters<typeof closedPanel>[1],
  options: PanelOptions,
): Markup =>
  details.action.canAct ? openPanel(details, options) : closedPanel(details, addresses, options.language);

type PanelOptions = WayOptions & {
  readonly electronic: Pick<
    Parameters<typeof electronicPanel>[0],
    'ticket' | 'isEmbedded' | 'shown' | 'notice' | 'progress' | 'app' | 'face'
  >;
};

// The fields have no names and the buttons are disabled until the script runs: a plain submit sends no password.
function openPanel(details: ActionDetails, options: PanelOptions): Markup {
  const { action } = details;
  const { language, electronic } = options;
  const words = actionWords(language);
  const isSignature = action.kind === 'signature';
  // Without a CPF or CNPJ any certificate signs, so that nobody can say yet who does.
  const isAnybodys =
    isSignature && action.person.identifier === null && action.requiredCompanyIdentifier === null;
  const head = html`<h2 id="act">${action.title ?? (isSignature ? words.yourSignature : words.yourApproval)}</h2>
<p class="acting faint">${isAnybodys ? words.askedOf : isSignature ? words.signAs : words.approveAs} <strong>${action.person.name}</strong>${identityOf(action, language)}</p>`;
  const recorded = isAnybodys && html`<p class="acting faint">${words.nameInCertificate}</p>`;
  if (!action.electronic)
    return html`<section class="card" aria-labelledby="act">
${head}
${recorded}
<noscript><p class="note">${words.needsScript}</p></noscript>
${actForm(isSignature, options, refuseButton(language))}
${refusalDialog(action, language)}
</section>`;
  const more = electronicWords(language);
  return html`<section class="card" aria-labelledby="act">
${head}
${electronicPanel({ details, language, ...electronic })}
<noscript><p class="note">${more.needsScript}</p></noscript>
<details class="instead">
<summary>${more.withCertificate}</summary>
${recorded}
${actForm(isSignature, options)}
</details>
${refuseButton(language, true)}
${refusalDialog(action, language)}
</section>`;
}

const actForm = (isSignature: boolean, options: PanelOptions, last: Markup | '' = ''): Markup => {
  const words = actionWords(options.language);
  return html`<form class="form" id="${isSignature ? 'sign' : 'approve'}" novalidate>
<fieldset disabled>
${isSignature ? wayFields(options) : html`<p class="faint">${words.approveHint}</p>`}
<div class="problem" role="alert" tabindex="-1" hidden></div>
<p class="working" role="status"></p>
<button class="button wide" type="submit">${isSignature ? words.sign : words.approve}</button>
${last}
</fieldset>
</form>`;
};

/** Outside of a form it is disabled by itself, until the script runs. */
const refuseButton = (language: Language, isAlone = false): Markup =>
  html`<button class="button quiet wide" type="button" id="refuse-open"${isAlone ? ' disabled' : ''}>${actionWords(language).refuse}</button>`;

function identityOf(
  {
    person,
    requiredCompanyIdentifier: cnpj,
    requiredCertificateHolderTypeToSign: holder,
  }: ActionDetails['action'],
  language: Language,
): Markup {
  const { forCompany, forAnyCompany, forPerson } = actionWords(language);
  const ofHolder = { Company: forAnyCompany, Individual: forPerson };
  const required = cnpj ? forCompany(formatCnpj(cnpj)) : holder && ofHolder[holder];
  return html`${person.identifier && html`, <span class="number">CPF ${person.identifier}</span>`}${
    required && html`, ${required}`
  }`;
}

function refusalDialog({ refusalEndsFlow }: ActionDetails['action'], language: Language): Markup {
  const words = actionWords(language);
  return html`<dialog id="refuse" aria-labelledby="refuse-title">
<form class="form" novalidate>
<h2 id="refuse-title">${words.refuseTitle}</h2>
<p class="faint" id="reason-hint">${refusalEndsFlow ? words.refuseHint : words.refusePartHint}</p>
<fieldset disabled>
<div class="field">
<label for="reason">${words.reason}</label>
<textarea id="reason" rows="4" maxlength="512" aria-describedby="reason-hint"></textarea>
</div>
<div class="problem" role="alert" tabindex="-1" hidden></div>
<p class="working" role="status"></p>
<div class="choices">
<button class="button quiet" type="button" id="refuse-close">${words.goBack}</button>
<button class="button danger" type="submit">${words.confirmRefusal}</button>
</div>
</fieldset>
</form>
</dialog>`;
}
