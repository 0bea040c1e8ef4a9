import { html } from 'hono/html';
import type { Language } from '../../../../../shared/ui/languages.ts';
import type { Markup } from '../../../../../shared/ui/page.ts';
import { type Choice, selectField, textArea, textField } from '../../../../../shared/ui/parts.ts';
import type { Institute } from '../../../tenants/domain/organization.ts';
import type { Form } from '../../visit.ts';
import type { FormField } from './creations.ts';
import { fieldProblem, formWords, labelOf, valueText } from './words/field-words.ts';

/** What was sent and what is wrong with it, for a form that is shown again. */
export type Again = {
  readonly sentValue: (name: string) => string;
  /** The names of the fields that do not hold. */
  readonly wrong: readonly string[];
};

export const NOTHING_SENT: Again = { sentValue: () => '', wrong: [] };

type Context = Again & { readonly language: Language; readonly institutes: readonly Institute[] };

const choicesOf = (
  { name, kind, values = [], isOptional = false }: FormField,
  { language, institutes }: Context,
): readonly Choice[] => {
  const words = formWords(language);
  const offered =
    kind === 'institute'
      ? institutes.map(({ id, name: text }) => ({ value: id, text }))
      : values.map((value) => ({ value, text: valueText(value, language) }));
  const none = name === 'registeringInstituteId' ? words.same : words.none;
  const first = isOptional ? none : offered.length > 1 ? words.choose : undefined;
  return first === undefined ? offered : [{ value: '', text: first }, ...offered];
};

/** A field of a form. */
export function formField(field: FormField, context: Context): Markup {
  const { name, kind, isOptional = false } = field;
  const { language, sentValue, wrong } = context;
  const value = sentValue(name);
  const required = isOptional ? html`` : html` required`;
  const isTyped = kind === 'line' || kind === 'note';
  const options = {
    ...{ id: name, label: labelOf(name, language), value },
    hint: isOptional && isTyped ? formWords(language).optional : undefined,
    problem: wrong.includes(name) ? fieldProblem(name, value.trim() === '', language) : undefined,
  };
  if (kind === 'institute' || kind === 'choice')
    return selectField({ ...options, attributes: required, choices: choicesOf(field, context) });
  if (kind === 'note') return textArea({ ...options, attributes: html` maxlength="2000"${required}` });
  const type = kind === 'date' ? html` type="date"` : kind === 'cpf' ? html` inputmode="numeric"` : html``;
  return textField({ ...options, attributes: html`${type} maxlength="500" autocomplete="off"${required}` });
}

const fileField = (name: string): string => `file-${name}`;

/** Fields for the files of an item, by their names. */
export const fileFields = (names: readonly string[], language: Language): Markup =>
  html`${names.map(
    (name) =>
      html`<div class="field"><label for="${fileField(name)}">${labelOf(name, language)}</label><input id="${fileField(name)}" type="file" name="${fileField(name)}" accept=".xml,application/xml,text/xml"></div>`,
  )}`;

/** The files that were chosen, as a request carries them. Undefined where none was. */
export function chosenFiles(names: readonly string[], form: Form) {
  const files = names.flatMap((name) => {
    const bytes = form.file(fileField(name));
    return bytes ? [{ name, content: bytes.toString('base64') }] : [];
  });
  return files.length === 0 ? undefined : files;
}

/** What was typed, as the contract has it. An empty field was not given. */
export function valueIn({ name, kind }: FormField, form: Form): unknown {
  const text = form.text(name).trim();
  if (text === '') return undefined;
  if (name === 'academicTranscript') return { type: text };
  return kind === 'cpf' ? text.replace(/[.\s-]/g, '') : text;
}
