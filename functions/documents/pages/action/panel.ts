import { html } from 'hono/html';
import { certificateFields } from '../../../../shared/ui/certificate-fields.ts';
import { check, clock, cross } from '../../../../shared/ui/icons.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import type { Markup } from '../../../../shared/ui/page.ts';
import { formatCnpj, formatCpf } from '../format.ts';
import type { Details } from './page.ts';
import { actionWords } from './words.ts';

/** What there is to do for the person, or why there is nothing. */
export const actionPanel = (details: Details, address: string, language: Language): Markup =>
  details.action.canAct ? openPanel(details, language) : closedPanel(details, address, language);

// The fields have no names and the buttons wait for the script: without it nothing that was typed goes anywhere.
function openPanel({ action }: Details, language: Language): Markup {
  const words = actionWords(language);
  const isSignature = action.kind === 'signature';
  return html`<section class="card" aria-labelledby="act">
<h2 id="act">${action.title ?? (isSignature ? words.yourSignature : words.yourApproval)}</h2>
<p class="acting faint">${isSignature ? words.signAs : words.approveAs} <strong>${action.person.name}</strong>${identityOf(action, language)}</p>
<noscript><p class="note">${words.needsScript}</p></noscript>
<form class="form" id="${isSignature ? 'sign' : 'approve'}" novalidate>
<fieldset disabled>
${isSignature ? certificateFields(language) : html`<p class="faint">${words.approveHint}</p>`}
<div class="problem" role="alert" tabindex="-1" hidden></div>
<p class="working" role="status"></p>
<button class="button wide" type="submit">${isSignature ? words.sign : words.approve}</button>
<button class="button quiet wide" type="button" id="refuse-open">${words.refuse}</button>
</fieldset>
</form>
${refusalDialog(language)}
</section>`;
}

function identityOf(
  { person, requiredCompanyIdentifier: cnpj, requiredCertificateHolderTypeToSign: holder }: Details['action'],
  language: Language,
): Markup {
  const { forCompany, forAnyCompany, forPerson } = actionWords(language);
  const ofHolder = { Company: forAnyCompany, Individual: forPerson };
  const asked = cnpj ? forCompany(formatCnpj(cnpj)) : holder && ofHolder[holder];
  return html`${person.identifier && html`, <span class="number">CPF ${formatCpf(person.identifier)}</span>`}${
    asked && html`, ${asked}`
  }`;
}

function refusalDialog(language: Language): Markup {
  const words = actionWords(language);
  return html`<dialog id="refuse" aria-labelledby="refuse-title">
<form class="form" novalidate>
<h2 id="refuse-title">${words.refuseTitle}</h2>
<p class="faint" id="reason-hint">${words.refuseHint}</p>
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

type ClosedState = {
  readonly icon: Markup;
  readonly look: 'good' | 'bad' | 'calm';
  readonly title: string;
  readonly text: string;
};

/** Why there is nothing to do, and the file to take home. */
export function closedPanel(details: Details, address: string, language: Language): Markup {
  const { icon, look, title, text } = closedStateOf(details, language);
  const words = actionWords(language);
  const [link, wanted] = details.hasSignature
    ? [words.downloadSigned, `${address}&type=Signatures`]
    : [words.downloadDocument, address];
  return html`<section class="card closed ${look}" aria-labelledby="closed">
<span class="badge">${icon}</span>
<h2 id="closed" tabindex="-1">${title}</h2>
<p class="faint">${text}</p>
<a class="button quiet wide" href="${wanted}" download>${link}</a>
</section>`;
}

function closedStateOf({ action, status }: Details, language: Language): ClosedState {
  const words = actionWords(language);
  const isOver = status === 'FlowConcluded' || status === 'Concluded';
  if (action.status === 'Completed') {
    const title = action.kind === 'signature' ? words.doneSignature : words.doneApproval;
    const text = isOver
      ? words.allDone
      : status === 'Pending'
        ? words.othersFollow
        : endingText(status, language);
    return { icon: check, look: 'good', title, text };
  }
  if (action.status === 'NotNeeded')
    return { icon: check, look: 'calm', title: words.notNeededTitle, text: words.nothingToDo };
  if (action.status === 'Refused')
    return { icon: cross, look: 'bad', title: words.doneRefusal, text: words.refusalTold };
  if (isOver) return { icon: check, look: 'good', title: words.isComplete, text: words.nothingToDo };
  if (status !== 'Pending')
    return { icon: cross, look: 'bad', title: endingText(status, language), text: words.nothingToDo };
  return { icon: clock, look: 'calm', title: words.notYet, text: words.notYetHint };
}

function endingText(status: Details['status'], language: Language): string {
  const words = actionWords(language);
  const texts = { Refused: words.isRefused, Canceled: words.isCanceled, Expired: words.isExpired };
  return texts[status as keyof typeof texts] ?? words.isComplete;
}
