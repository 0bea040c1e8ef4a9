import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { html, raw } from 'hono/html';
import { SEAL_ICON } from '../../shared/brand/icon.ts';
import { renderFrame } from '../../shared/ui/frame.ts';
import type { Language } from '../../shared/ui/languages.ts';
import { formatTime } from '../../shared/ui/time.ts';
import type { Question } from './questions.ts';
import { type Words, words } from './words.ts';

/** The outcome of the last form, shown once. */
export const NOTES = [
  'accepted',
  'rejected',
  'locked',
  'unusable',
  'declined',
  'forgotten',
  'over',
] as const satisfies readonly (keyof Words)[];
export type Note = (typeof NOTES)[number];

export type PageContent = {
  readonly language: Language;
  /** The oldest open question. */
  readonly question: Question | undefined;
  readonly note: Note | undefined;
  readonly server: string;
  readonly store: string;
  readonly pinInUse: boolean;
  /** The holder wants to type the PIN although nobody asks for it. */
  readonly unlocking: boolean;
  readonly lastTry: boolean;
  readonly restsUntilMs: number | undefined;
  /** CSRF token, in every form. */
  readonly formToken: string;
  readonly nowMs: number;
};

// The look of every page of Sinete, inside of this one: it is served alone, on the holder's machine.
const styleOf = (name: string): string =>
  readFileSync(new URL(`../../shared/ui/styles/${name}.css`, import.meta.url), 'utf8').replaceAll(
    /^@import .*$/gm,
    '',
  );

const STYLE = `${styleOf('common')}${styleOf('controls')}
.notice { overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .25rem 1rem; }
dt { color: var(--faint); }
dd { margin: 0; }
.documents { display: grid; gap: .5rem; padding: 0; list-style: none; }
.documents code { white-space: nowrap; }
.choices { display: flex; flex-wrap: wrap; gap: .6rem; }
.note { border-left: .25rem solid var(--wax); padding: .25rem .75rem; }
`;

const styleHash = createHash('sha256').update(STYLE).digest('base64');

/** The page loads and runs only its own files, is in no frame, and sends forms only to its own origin. */
export const POLICY = `default-src 'none'; script-src 'self'; connect-src 'self'; img-src data:; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`;

// Without scripts: often enough to see a request while somebody waits for it.
const IDLE_REFRESH_SECONDS = 2;

const clock = (ms: number, language: Language): string => formatTime(language, ms, { time: 'medium' });

/** Names the state that a page shows. While it is the same there is nothing new to show. */
export const nameOf = ({ question, pinInUse }: Pick<PageContent, 'question' | 'pinInUse'>): string =>
  question?.id ?? (pinInUse ? 'in-use' : 'idle');

/** A page with a form does not reload: the PIN would be lost while the holder types it. */
function refreshSeconds({ question, unlocking, nowMs }: PageContent): number | undefined {
  if (question) return question.endsAtMs && Math.ceil((question.endsAtMs - nowMs) / 1000) + 1;
  return unlocking ? undefined : IDLE_REFRESH_SECONDS;
}

/** @example response.end(await renderPage({ language: 'en', question, … })) */
export async function renderPage(shown: PageContent): Promise<string> {
  const { language, note, restsUntilMs } = shown;
  const text = words(language);
  const refresh = refreshSeconds(shown);
  const body = html`<main><div class="card notice">
${note ? html`<p class="note" role="status">${text[note]}</p>` : ''}
${restsUntilMs ? html`<p class="note" role="status">${text.resting(clock(restsUntilMs, language))}</p>` : ''}
${shown.question ? questionMarkup(shown, shown.question, text) : idleMarkup(shown, text)}
</div></main>`;
  return String(
    await html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${refresh === undefined ? '' : html`<noscript><meta http-equiv="refresh" content="${refresh}; url=./?lang=${language}"></noscript>`}
<title>${shown.question ? `● ${text.title}` : text.title}</title>
<link rel="icon" href="${SEAL_ICON}">
${raw(`<style>${STYLE}</style>`)}
<script type="module" src="./page.js"></script>
</head>
<body data-shown="${nameOf(shown)}">
${renderFrame({ language, body, inLanguage: (other) => `?lang=${other}` })}
</body>
</html>
`,
  );
}

function questionMarkup(shown: PageContent, { id, reason, holder, endsAtMs }: Question, text: Words) {
  return html`${reasonMarkup(shown, reason, text)}
<dl>
${holder ? html`<dt>${text.certificate}</dt><dd>${holder}</dd>` : ''}
<dt>${text.store}</dt><dd>${shown.store}</dd>
${endsAtMs ? html`<dt>${text.until}</dt><dd>${clock(endsAtMs, shown.language)}</dd>` : ''}
</dl>
${pinForm(shown, text, id, reason.kind !== 'first-use')}`;
}

function reasonMarkup({ server }: PageContent, reason: Question['reason'], text: Words) {
  if (reason.kind === 'first-use')
    return html`<h1>${text.firstUse}</h1>
<p>${text.firstUseMore(server)}</p>`;
  if (reason.kind === 'request')
    return html`<h1>${text.asks(reason.application)}</h1>
<p>${text.asksMore(server)}</p>`;
  const { requester, application, documents } = reason;
  return html`<h1>${text.asksSignature(requester)}</h1>
<ul class="documents">
${documents.map(({ name, code }) => html`<li><strong>${name}</strong> <code>${code}</code></li>`)}
</ul>
<p>${text.compareCodes}</p>
<p>${text.asksSignatureMore(application, server)}</p>`;
}

function idleMarkup(shown: PageContent, text: Words) {
  const { pinInUse, unlocking, formToken, language } = shown;
  if (unlocking && !pinInUse) return html`<h1>${text.unlock}</h1>${pinForm(shown, text, '', false)}`;
  return html`<h1>${text.nothing}</h1>
<p>${pinInUse ? text.inUse : text.notInUse} ${text.nothingMore}</p>
${
  pinInUse
    ? html`<form method="post" action="./answer"><input type="hidden" name="form" value="${formToken}">
<input type="hidden" name="lang" value="${language}">
<button class="button quiet" name="action" value="forget">${text.forget}</button></form>`
    : html`<p><a class="button" href="./?unlock=yes&amp;lang=${language}">${text.unlock}</a></p>`
}`;
}

function pinForm(
  { lastTry, formToken, language }: PageContent,
  text: Words,
  id: string,
  mayDecline: boolean,
) {
  return html`${lastTry ? html`<p class="note">${text.lastTry}</p>` : ''}
<form class="form" method="post" action="./answer" autocomplete="off">
<input type="hidden" name="form" value="${formToken}">
<input type="hidden" name="question" value="${id}">
<input type="hidden" name="lang" value="${language}">
<div class="field">
<label for="pin">${text.pin}</label>
<input id="pin" name="pin" type="password" autocomplete="off" maxlength="255" autofocus>
</div>
<div class="choices">
<button class="button" name="action" value="confirm">${text.confirm}</button>
${mayDecline ? html`<button class="button quiet" name="action" value="decline">${text.decline}</button>` : ''}
</div>
</form>`;
}
