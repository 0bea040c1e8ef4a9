import { html } from 'hono/html';
import type { Refusal } from '../../../../shared/errors/errors.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import type { Markup } from '../../../../shared/ui/page.ts';
import { verificationPage } from './frame.ts';
import { lookupWords } from './words.ts';

type Root = '.' | '..';

/** The page for a code. */
export function lookupPage(language: Language) {
  const words = lookupWords(language);
  const body = html`<div class="card notice">
<p class="faint">${words.service}</p>
<h1>${words.title}</h1>
<p>${words.intro}</p>
${codeForm(language, '.', '')}
</div>`;
  const preview = { title: words.title, description: words.intro };
  return verificationPage({ title: words.title, preview, language, body, root: '.' });
}

/** For a code that is malformed, unknown, or of something that is not public: it does not say which. */
export function unknownPage(language: Language, root: Root, code: string) {
  const words = lookupWords(language);
  const body = html`<div class="card notice">
<p class="faint">${words.service}</p>
<h1>${words.unknown}</h1>
<p>${words.unknownHint}</p>
${codeForm(language, root, code)}
</div>`;
  return verificationPage({ title: words.unknown, language, body, root, status: 404 });
}

/** For a look-up that was refused: too many from one network, or the store does not answer. */
export function refusedPage(language: Language, { status, details }: Refusal, root: Root) {
  const words = lookupWords(language);
  const isTooMany = status === 429;
  const title = isTooMany ? words.tooMany : words.failed;
  const hint = isTooMany ? words.tooManyHint(String(details?.retryAfterSeconds ?? 60)) : words.failedHint;
  const body = html`<div class="card notice">
<p class="faint">${words.service}</p>
<h1>${title}</h1>
<p>${hint}</p>
</div>`;
  return verificationPage({ title, language, body, root });
}

/** Works without scripts: the code is sent in the address, which leads on to the page of the credential. */
function codeForm(language: Language, root: Root, code: string): Markup {
  const words = lookupWords(language);
  return html`<form class="look-up" method="get" action="${root}/verify">
<input type="hidden" name="lang" value="${language}">
<div class="field">
<label for="code">${words.code}</label>
<input id="code" name="code" type="text" value="${code}" required maxlength="200" autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="code-hint">
<p class="faint" id="code-hint">${words.codeHint}</p>
</div>
<button class="button wide">${words.verify}</button>
</form>`;
}
