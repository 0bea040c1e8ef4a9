import { html } from 'hono/html';
import type { Language } from '../../../../shared/ui/languages.ts';
import type { Markup } from '../../../../shared/ui/page.ts';
import { codeWords } from './code-words.ts';

/** The form for the code on an evidence page. Its script looks the code up; one in the address at once. */
export function codeForm(language: Language): Markup {
  const words = codeWords(language);
  return html`<form id="by-code" class="card form code" novalidate hidden>
<div class="field">
<label for="code">${words.label}</label>
<input id="code" name="code" type="text" maxlength="60" autocomplete="off" autocapitalize="characters" spellcheck="false" aria-describedby="code-hint">
<p id="code-hint" class="faint">${words.hint}</p>
</div>
<button class="button">${words.check}</button>
</form>`;
}
