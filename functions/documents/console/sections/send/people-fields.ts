import { html } from 'hono/html';
import type { Language } from '../../../../../shared/ui/languages.ts';
import type { Markup } from '../../../../../shared/ui/page.ts';
import { selectField, textField } from '../../../../../shared/ui/parts.ts';
import { DRAFT_ROLES, type Draft, type DraftPerson } from '../../../domain/drafts/draft.ts';
import type { KnownPerson } from '../../../domain/drafts/recent-people.ts';
import { sendWords } from './words.ts';

const NOBODY: DraftPerson = {
  ...{ key: '', name: '', identifier: '', email: '', role: 'sign', group: '' },
  step: 1,
};

/** The rows of people, an empty one at the end, and a row for the script to add. */
export function peopleFields(
  { people, required, template }: Pick<Draft, 'people' | 'required' | 'template'>,
  known: readonly KnownPerson[],
  language: Language,
): Markup {
  const isTemplate = template !== undefined;
  const words = sendWords(language);
  const lastStep = Math.max(1, ...people.map(({ step }) => step));
  const rows = [...people, { ...NOBODY, step: lastStep }];
  return html`<section class="card stack" aria-labelledby="people-title">
<h2 id="people-title">${words.people}</h2>
<p class="faint">${isTemplate ? words.rolesHint : words.peopleHint}</p>
<div class="people" id="people" data-known="${JSON.stringify(known)}">
${rows.map((person, at) => personRow(person, required[person.group] ?? 1, String(at + 1), language, isTemplate))}
</div>
<template id="person-row">${personRow({ ...NOBODY, step: lastStep }, 1, 'N', language, isTemplate)}</template>
<datalist id="known-people">${known.map(({ email, name }) => html`<option value="${email}">${name}</option>`)}</datalist>
<p><button class="button quiet" name="do" value="save" id="add-person">${words.addPerson}</button></p>
</section>`;
}

/** One person. Its fields have the same names in every row, so that the values of a column come in the order of rows. */
function personRow(
  person: DraftPerson,
  required: number,
  at: string,
  language: Language,
  isTemplate: boolean,
): Markup {
  const words = sendWords(language);
  const { key, name, email, identifier, role, step, group } = person;
  const id = (field: string): string => `person-${at}-${field}`;
  const isOrdered = step > 1 || group !== '';
  const number = (max: number): Markup => html` type="number" min="1" max="${max}" inputmode="numeric"`;
  return html`<fieldset class="person-row">
<legend>${words.person(Number(at) || 0)}</legend>
<input type="hidden" name="personKey" value="${key}">
${isTemplate ? partField(key === '', id('part'), language) : ''}
<div class="row">
${textField({ id: id('email'), name: 'personEmail', label: words.email, value: email, attributes: html` type="${isTemplate ? 'text' : 'email'}" maxlength="254" list="known-people" autocomplete="off"` })}
${textField({ id: id('name'), name: 'personName', label: words.name, value: name, attributes: html` maxlength="200" autocomplete="off"` })}
${textField({ id: id('identifier'), name: 'personIdentifier', label: words.identifier, value: identifier, attributes: html` maxlength="${isTemplate ? 120 : 20}" autocomplete="off"` })}
${selectField({ id: id('role'), name: 'personRole', label: words.role, value: role, choices: DRAFT_ROLES.map((value) => ({ value, text: words[value] })) })}
</div>
<details class="person-more"${isOrdered ? html` open` : ''}><summary>${words.more}</summary>
<div class="row">
${textField({ id: id('step'), name: 'personStep', label: words.step, value: String(step), attributes: number(100) })}
${textField({ id: id('group'), name: 'personGroup', label: words.group, value: group, hint: words.groupHint, attributes: html` maxlength="200"` })}
${textField({ id: id('required'), name: 'personRequired', label: words.enough, value: String(required), attributes: number(50) })}
</div></details>
${key === '' ? '' : html`<p><button class="link" name="do" value="remove-person:${key}">${words.remove} <span class="visually-hidden">${name || email}</span></button></p>`}
</fieldset>`;
}

/** The role of a new row of a template. A row that has values has them in its fields. */
const partField = (isNew: boolean, id: string, language: Language): Markup => {
  const words = sendWords(language);
  return isNew
    ? textField({
        id,
        name: 'personPart',
        label: words.part,
        hint: words.partHint,
        attributes: html` maxlength="80" autocomplete="off"`,
      })
    : html`<input type="hidden" name="personPart" value="">`;
};
