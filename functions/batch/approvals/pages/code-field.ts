import { html } from 'hono/html';
import type { Language } from '../../../../shared/ui/languages.ts';
import type { Markup } from '../../../../shared/ui/page.ts';
import { translations } from '../../../../shared/ui/translations.ts';

const codeWords = translations({
  label: { en: 'Code of your authenticator app', 'pt-BR': 'Código do seu aplicativo autenticador' },
  hint: { en: 'Six digits. Each code works once.', 'pt-BR': 'Seis dígitos. Cada código vale uma vez.' },
});

type CodeField = {
  readonly language: Language;
  /** Of the input. A page has one in each of its forms. */
  readonly id: string;
  /** Without it the field is its script's: a form does not send it. */
  readonly name?: 'code';
  readonly hidden?: boolean;
  /** Why the last code was refused, an element with the id `{id}-problem`. */
  readonly problem?: Markup | undefined;
};

// An app may show the digits in two groups, and people may paste more than they mean to.
const MAX_CHARACTERS = 20;

/** The field for a code of the second factor, the same in every form that decides. */
export function codeField({ language, id, name, hidden, problem }: CodeField): Markup {
  const words = codeWords(language);
  const describedBy = `${problem ? `${id}-problem ` : ''}${id}-hint`;
  return html`<div class="field" id="${id}-field"${hidden ? html` hidden` : ''}>
<label for="${id}">${words.label}</label>
<input id="${id}" class="code"${name ? html` name="${name}" required` : ''} inputmode="numeric" autocomplete="one-time-code" maxlength="${MAX_CHARACTERS}" aria-describedby="${describedBy}"${problem ? html` aria-invalid="true" autofocus` : ''}>
<p class="faint" id="${id}-hint">${words.hint}</p>
${problem ?? ''}
</div>`;
}
