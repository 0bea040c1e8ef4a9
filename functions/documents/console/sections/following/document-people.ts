import { html } from 'hono/html';
import { maskCpf, parseCpf } from '../../../../../shared/taxpayer/cpf.ts';
import type { Markup } from '../../../../../shared/ui/page.ts';
import { badge, givenText, textField } from '../../../../../shared/ui/parts.ts';
import { timeOf } from '../../../../../shared/ui/time-element.ts';
import { isSameName } from '../../../domain/flow/certificate-holder.ts';
import { mayDo } from '../../../domain/members/permissions.ts';
import { consolePath } from '../../pages/frame.ts';
import type { Visit } from '../../visit.ts';
import { documentWords } from './document-words.ts';
import type { ReadDocument } from './history.ts';

type Action = ReadDocument['flowActions'][number];
type Person = NonNullable<Action['user']>;
type Done = Action['completedBy'][number];

/** Whose part is what, how far they are, and their links while it is their turn. */
export function documentPeople(visit: Visit, document: ReadDocument): Markup {
  const words = documentWords(visit.language);
  return html`<section class="card stack" aria-labelledby="people-title" id="people" data-live="5">
<h2 id="people-title">${words.people}</h2>
<ol class="plain document-people">${document.flowActions.map(
    (action) => html`<li>
<p class="faint">${words.step(action.step)}${action.ruleName ? html` · ${givenText(action.ruleName)}` : ''}${
      action.signRuleUsers.length > 0
        ? html` · ${words.enough(action.numberRequiredSignatures, action.signRuleUsers.length)}`
        : ''
    }</p>
${peopleOf(action).map((person) => personPart(visit, document, action, person))}
</li>`,
  )}</ol>
</section>`;
}

const peopleOf = ({ user, signRuleUsers }: Action): readonly Person[] => (user ? [user] : signRuleUsers);

function personPart(visit: Visit, document: ReadDocument, action: Action, person: Person): Markup {
  const { language, member } = visit;
  const words = documentWords(language);
  const done = action.completedBy.find(({ id }) => id === person.id);
  const isOpen = document.status === 'Pending' && action.status === 'Pending' && !done;
  const isOver = document.status !== 'Pending' || action.status === 'Completed';
  const [text, tone] = done
    ? ([words.Completed, 'good'] as const)
    : action.status === 'Refused'
      ? ([words.Refused, 'bad'] as const)
      : isOver
        ? ([words.notNeeded, 'neutral'] as const)
        : ([words[action.status], isOpen ? 'warn' : 'neutral'] as const);
  const doing = action.type.startsWith('Sign') ? words.signs : words.approves;
  return html`<div><strong>${givenText(person.name)}</strong> ${doing} ${badge(text, tone)}
${person.emailAddress ? html`<br><span class="faint">${givenText(person.emailAddress)}</span>` : ''}
${done ? html`<br><span class="faint">${timeOf(language, Date.parse(done.date))}</span>` : ''}
${done?.certificate ? certificatePart(visit, action, person, done) : ''}
${isOpen && mayDo(member.role, 'documents.change') ? personForms(visit, document.id, action, person) : ''}
${!isOver && isUntouched(action) && mayDo(member.role, 'documents.change') ? correctionForm(visit, document.id, action, person) : ''}</div>`;
}

/** Whose certificate signed, where the flow has another name. Without a CPF or CNPJ nothing says that both are the same. */
function certificatePart(
  { language }: Visit,
  { requiredCompanyIdentifier }: Action,
  person: Person,
  { certificate, identifier }: Done,
): Markup | '' {
  const words = documentWords(language);
  const holder = certificate?.holderName ?? person.name;
  if (isSameName(holder, person.name)) return '';
  const cpf = parseCpf(identifier ?? '');
  const isProven = person.identifier !== null || requiredCompanyIdentifier !== null;
  return html`<br>${words.certificateOf} <strong>${givenText(holder)}</strong>${cpf ? html`, <span class="number">CPF ${maskCpf(cpf)}</span>` : ''}${
    isProven ? '' : html` ${badge(words.otherName, 'warn')}`
  }`;
}

/** What people have done is evidence, and stays. */
const isUntouched = ({ status, completedBy }: Action): boolean =>
  completedBy.length === 0 && (status === 'Pending' || status === 'Created');

function correctionForm({ language }: Visit, id: string, action: Action, person: Person): Markup {
  const words = documentWords(language);
  return html`<details><summary>${words.correct}</summary>
<form class="stack" method="post" action="${consolePath(`documents/${id}/correct`)}">
<input type="hidden" name="flowActionId" value="${action.id}"><input type="hidden" name="userId" value="${action.user ? '' : person.id}">
${textField({ id: `correct-${action.id}-${person.id}`, name: 'emailAddress', label: words.newEmail, value: person.emailAddress ?? '', hint: words.correctHint, attributes: html` type="email" required maxlength="254"` })}
<p><button class="button quiet">${words.save}</button></p>
</form></details>`;
}

function personForms({ language }: Visit, id: string, action: Action, person: Person): Markup {
  const words = documentWords(language);
  const form = (
    path: string,
    text: string,
  ) => html`<form method="post" action="${consolePath(`documents/${id}/${path}`)}">
<input type="hidden" name="flowActionId" value="${action.id}">
<input type="hidden" name="emailAddress" value="${person.emailAddress ?? ''}"><input type="hidden" name="identifier" value="${person.identifier ?? ''}">
<button class="link">${text} <span class="visually-hidden">${person.name}</span></button></form>`;
  return html`<div class="actions">${person.emailAddress ? form('remind', words.remind) : ''}${form('link', words.getLink)}</div>`;
}
