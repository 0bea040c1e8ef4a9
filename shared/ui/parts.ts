import { html } from 'hono/html';
import type { Language } from './languages.ts';
import { formatCount } from './numbers.ts';
import type { Markup } from './page.ts';
import { translations } from './translations.ts';

const partWords = translations({
  pages: { en: 'Pages', 'pt-BR': 'Páginas' },
  previous: { en: 'Previous', 'pt-BR': 'Anterior' },
  next: { en: 'Next', 'pt-BR': 'Próxima' },
  page: {
    en: (page: string, count: string) => `Page ${page} of ${count}`,
    'pt-BR': (page: string, count: string) => `Página ${page} de ${count}`,
  },
  goTo: { en: 'Go to page', 'pt-BR': 'Ir para a página' },
  go: { en: 'Go', 'pt-BR': 'Ir' },
});

/** A text that somebody gave. Marks of direction in it do not turn the text around it. */
export const givenText = (text: string): Markup => html`<bdi>${text}</bdi>`;

/** What a form has done, above the page that it led to. */
export const doneNotice = (text: string | undefined): Markup | '' =>
  text === undefined ? '' : html`<p class="done" role="status">${text}</p>`;

/** What is wrong with a form or a page. */
export const problemBox = (text: string | undefined, code?: string): Markup | '' =>
  text === undefined
    ? ''
    : html`<div class="problem" role="alert"><p>${text}</p>${code ? html`<p class="error-code">${code}</p>` : ''}</div>`;

/** A state in a word and a colour. */
export const badge = (text: string, tone: 'good' | 'warn' | 'bad' | 'neutral' = 'neutral'): Markup =>
  html`<span class="badge ${tone}">${text}</span>`;

/** Names and values. A value of '' is left out. */
export const factList = (facts: readonly (readonly [name: string, value: Markup | string])[]): Markup =>
  html`<dl class="fact-list">${facts
    .filter(([, value]) => value !== '')
    .map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;

type FieldOptions = {
  readonly id: string;
  /** Of the input; the id where it is left out. */
  readonly name?: string;
  readonly label: string;
  readonly value?: string;
  readonly hint?: string | undefined;
  /** What is wrong with the value. */
  readonly problem?: string | undefined;
  /** Further attributes of the input, such as ` type="date" required`. */
  readonly attributes?: Markup | '';
};

const describedBy = ({ id, hint, problem }: FieldOptions): Markup | '' => {
  const ids = [problem && `${id}-problem`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return ids === '' ? '' : html` aria-describedby="${ids}"`;
};

const around = (options: FieldOptions, control: Markup): Markup => {
  const { id, label, hint, problem } = options;
  return html`<div class="field">
<label for="${id}">${label}</label>
${control}
${hint ? html`<p class="faint" id="${id}-hint">${hint}</p>` : ''}
${problem ? html`<p class="field-problem" id="${id}-problem" role="alert">${problem}</p>` : ''}
</div>`;
};

const invalid = ({ problem }: FieldOptions): Markup | '' => (problem ? html` aria-invalid="true"` : '');

/** A field of one line, with its hint and what is wrong with it. */
export const textField = (options: FieldOptions): Markup => {
  const { id, name = id, value = '', attributes = '' } = options;
  return around(
    options,
    html`<input id="${id}" name="${name}" value="${value}"${attributes}${describedBy(options)}${invalid(options)}>`,
  );
};

/** A field of several lines. */
export const textArea = (options: FieldOptions): Markup => {
  const { id, name = id, value = '', attributes = '' } = options;
  return around(
    options,
    html`<textarea id="${id}" name="${name}"${attributes}${describedBy(options)}${invalid(options)}>
${value}</textarea>`,
  );
};

export type Choice = { readonly value: string; readonly text: string };

/** A field with a few values to choose from. */
export const selectField = (options: FieldOptions & { readonly choices: readonly Choice[] }): Markup => {
  const { id, name = id, value = '', attributes = '', choices } = options;
  return around(
    options,
    html`<select id="${id}" name="${name}"${attributes}${describedBy(options)}${invalid(options)}>${choices.map(
      (choice) =>
        html`<option value="${choice.value}"${choice.value === value ? html` selected` : ''}>${choice.text}</option>`,
    )}</select>`,
  );
};

/** A box to check. Without its check, the form has no such field. */
export const checkBox = (options: FieldOptions & { readonly isChecked: boolean }): Markup => {
  const { id, name = id, label, value = 'true', hint, problem, isChecked } = options;
  return html`<div class="field check">
<label><input type="checkbox" id="${id}" name="${name}" value="${value}"${isChecked ? html` checked` : ''}${describedBy(options)}${invalid(options)}> ${label}</label>
${hint ? html`<p class="faint" id="${id}-hint">${hint}</p>` : ''}
${problem ? html`<p class="field-problem" id="${id}-problem" role="alert">${problem}</p>` : ''}
</div>`;
};

/** An action that cannot be undone: its button is behind a second click, beside what it means. It needs no script. */
export const confirmed = (options: {
  /** With one, it stays open while the part of the page around it is kept up to date. */
  readonly id?: string;
  readonly isOpen?: boolean;
  readonly summary: string;
  readonly explanation: string;
  readonly button: string;
  readonly action: string;
  /** Further fields of the form. */
  readonly fields?: Markup;
  /** Some of them are files: a browser sends their names alone without it. */
  readonly takesFiles?: boolean;
}): Markup => html`<details class="confirmed"${options.id ? html` id="${options.id}"` : ''}${options.isOpen ? html` open` : ''}>
<summary class="button quiet">${options.summary}</summary>
<form class="stack" method="post"${options.takesFiles ? html` enctype="multipart/form-data"` : ''} action="${options.action}">
<p>${options.explanation}</p>
${options.fields ?? ''}
<button class="button danger">${options.button}</button>
</form>
</details>`;

type PagerOptions = {
  readonly language: Language;
  readonly page: number;
  readonly pageSize: number;
  readonly totalCount: number;
  /** The query of the page, filters included, without `page`. */
  readonly query: URLSearchParams;
  /** Of the list, where the address may be another one. */
  readonly path?: string;
};

/** The pages of a list: the one before, the one after, and any by its number. Nothing where there is one page. */
export function pager({ language, page, pageSize, totalCount, query, path = '' }: PagerOptions): Markup | '' {
  const count = Math.max(1, Math.ceil(totalCount / pageSize));
  if (count === 1 && page === 1) return '';
  const words = partWords(language);
  const hrefOf = (number: number): string =>
    `${path}?${new URLSearchParams([...query, ['page', String(number)]])}`;
  const link = (number: number, text: string, isThere: boolean) =>
    isThere ? html`<a class="button quiet" href="${hrefOf(number)}">${text}</a>` : html`<span></span>`;
  return html`<nav class="pages" aria-label="${words.pages}">
${link(Math.min(page - 1, count), words.previous, page > 1)}
<form class="go-to" method="get"${path && html` action="${path}"`}>
${[...query].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<span>${words.page(formatCount(language, page), formatCount(language, count))}</span>
<label class="visually-hidden" for="page">${words.goTo}</label>
<input id="page" name="page" type="number" min="1" max="${count}" value="${page}" required>
<button class="button quiet">${words.go}</button>
</form>
${link(page + 1, words.next, page < count)}
</nav>`;
}
