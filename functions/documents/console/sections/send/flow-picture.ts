import { html } from 'hono/html';
import type { Language } from '../../../../../shared/ui/languages.ts';
import type { Markup } from '../../../../../shared/ui/page.ts';
import { givenText } from '../../../../../shared/ui/parts.ts';
import type { Draft, DraftPerson } from '../../../domain/drafts/draft.ts';
import { actionsOf, type DraftAction } from '../../../domain/drafts/draft-request.ts';
import { sendWords } from './words.ts';

type PicturedDraft = Pick<Draft, 'people' | 'required' | 'marks'>;

/** The flow of a draft as a picture: steps from left to right, and in each the people who act side by side. */
export function flowPicture(draft: PicturedDraft, language: Language): Markup {
  const words = sendWords(language);
  const actions = actionsOf(draft);
  const steps = [...new Set(actions.map(({ step }) => step))];
  const observers = draft.people.filter(({ role }) => role === 'observe');
  return html`<section class="card stack" id="flow" aria-labelledby="flow-title">
<h2 id="flow-title">${words.flow}</h2>
<ol class="flow">${steps.map(
    (step, at) => html`<li><h3>${words.stepOf(at + 1)}</h3>
<ul>${actions.filter((action) => action.step === step).map((action) => actionBox(draft, action, language))}</ul></li>`,
  )}</ol>
${observers.length === 0 ? '' : html`<p class="faint">${words.observers}: ${observers.map(({ name, email }, at) => html`${at > 0 ? ', ' : ''}${givenText(name || email)}`)}</p>`}
</section>`;
}

function actionBox({ marks }: PicturedDraft, action: DraftAction, language: Language): Markup {
  const words = sendWords(language);
  const { group, required, people, key } = action;
  const count = marks.filter(({ actionKey }) => actionKey === key).length;
  return html`<li class="flow-box">
${group === '' ? '' : html`<p class="faint">${givenText(group)}: ${words.ofGroup(required, people.length)}</p>`}
${people.map((person) => personLine(person, language))}
${count === 0 ? '' : html`<p class="faint">${words.marksCount(count)}</p>`}
</li>`;
}

function personLine({ name, email, role, identifier }: DraftPerson, language: Language): Markup {
  const words = sendWords(language);
  const isAnybodys = identifier === '' && role !== 'approve';
  return html`<p><strong>${givenText(name || email)}</strong> <span class="faint">${words[role]}</span>${
    email === '' ? html`<br><span class="faint">${words.noMail}</span>` : ''
  }${isAnybodys ? html`<br><span class="faint">${words.anyCertificate}</span>` : ''}</p>`;
}
