import { html } from 'hono/html';
import { assetUrl } from '../../../../shared/ui/assets.ts';
import { renderFrame } from '../../../../shared/ui/frame.ts';
import { check, cross, lock, question, sheet } from '../../../../shared/ui/icons.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import { formatSize } from '../../../../shared/ui/numbers.ts';
import { type Markup, page } from '../../../../shared/ui/page.ts';
import { pdfToolAttributes } from '../../../../shared/ui/reader/reader.ts';
import { codeWords } from './code-words.ts';
import { verificationWords } from './words.ts';

// The page is at /verification; its assets are below the same base path.
const ROOT = '.';

type VerificationOptions = {
  readonly maxFileBytes: number;
  /** Whether anyone may verify files. A code is taken in any case. */
  readonly takesFiles: boolean;
};

/**
 * Renders the page at which anyone has a document verified by its code, or a file. Its script shows the report; without
 * it the forms stay hidden.
 */
export function verificationPage(language: Language, { maxFileBytes, takesFiles }: VerificationOptions) {
  const words = verificationWords(language);
  const body = html`<main class="verification">
<div class="intro">
<h1>${words.title}</h1>
<p class="faint">${words.intro}</p>
</div>
<noscript><p class="problem">${words.needsScript}</p></noscript>
${codeForm(language)}
<form id="verify" class="form" data-takes-files="${String(takesFiles)}" data-max-bytes="${maxFileBytes}" ${pdfToolAttributes(ROOT)} hidden>
<h2>${codeWords(language).orFile}</h2>
<div id="drop" class="drop">
<span class="large">${sheet}</span>
<span class="button" aria-hidden="true">${words.choose}</span>
<span class="faint" aria-hidden="true">${words.drop}</span>
<input id="files" type="file" multiple aria-label="${words.choose}" aria-describedby="kinds">
</div>
<p id="kinds" class="faint">${words.kinds} ${words.largest(formatSize(language, maxFileBytes))}</p>
<p class="faint secure">${lock} ${words.notKept}</p>
</form>
<p id="status-line" class="working" role="status"></p>
<div id="results" class="results"></div>
</main>
${icons()}`;
  return page({
    title: `${words.title} · Sinete`,
    preview: { title: words.title, description: words.intro },
    language,
    body: renderFrame({ language, body, inLanguage: (other) => `?lang=${other}` }),
    styles: ['common.css', 'reader.css', 'documents-verification.css'].map((name) => assetUrl(ROOT, name)),
    scripts: [assetUrl(ROOT, 'documents-verification.js')],
    showsImages: true,
    hasReader: true,
  });
}

// The script clones these icons and writes no markup itself.
const icons = (): Markup => html`<template id="icon-valid">${check}</template>
<template id="icon-invalid">${cross}</template>
<template id="icon-undetermined">${question}</template>`;

/** The form for the code on an evidence page. Its script looks the code up; one in the address at once. */
function codeForm(language: Language): Markup {
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
