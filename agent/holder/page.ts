import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import { SEAL_ICON } from '../../shared/brand/icon.ts';
import { LANGUAGES, type Language } from '../../shared/ui/languages.ts';
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

const STYLE = `
:root { color-scheme: light dark; --ink: #1c1b1a; --paper: #fbfaf8; --line: #8a847b; --mark: #8c1d18; --on-mark: #fff; }
@media (prefers-color-scheme: dark) { :root { --ink: #f2efe9; --paper: #1b1a19; --line: #8f8a82; --mark: #f0a39c; --on-mark: #1b1a19; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 34rem; margin: 8vh auto 2rem; padding: 0 1.25rem; }
h1 { font-size: 1.5rem; line-height: 1.25; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; }
dt { font-weight: 600; }
dd { margin: 0; overflow-wrap: anywhere; }
label { display: block; font-weight: 600; margin-top: 1.5rem; }
input { width: 100%; font: inherit; padding: .6rem .7rem; border: 1px solid var(--line); border-radius: .4rem; background: inherit; color: inherit; }
button, .button { display: inline-block; font: inherit; padding: .6rem 1.2rem; margin: 1rem .5rem 0 0; border: 1px solid var(--line); border-radius: .4rem; background: inherit; color: inherit; cursor: pointer; text-decoration: none; }
button.main { background: var(--mark); border-color: var(--mark); color: var(--on-mark); }
:focus-visible { outline: 3px solid var(--mark); outline-offset: 2px; }
.note { border-left: .25rem solid var(--mark); padding: .25rem .75rem; }
nav { max-width: 34rem; margin: 0 auto; padding: 1rem 1.25rem; display: flex; gap: 1rem; justify-content: flex-end; }
nav a { color: inherit; }
`;

const styleHash = createHash('sha256').update(STYLE).digest('base64');

/** The page loads and runs only its own files, is in no frame, and sends forms only to its own origin. */
export const POLICY = `default-src 'none'; script-src 'self'; connect-src 'self'; img-src data:; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`;

// Without scripts: often enough to see a request while somebody waits for it.
const IDLE_REFRESH_SECONDS = 2;

const clock = (ms: number, language: Language): string =>
  new Date(ms).toLocaleTimeString(language, { hour: '2-digit', minute: '2-digit', second: '2-digit' });

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
  const names: Readonly<Record<Language, string>> = { en: 'English', 'pt-BR': 'Português' };
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
<nav aria-label="${text.languages}">${LANGUAGES.map((each) => html`<a href="?lang=${each}" lang="${each}">${names[each]}</a>`)}</nav>
<main>
${note ? html`<p class="note" role="status">${text[note]}</p>` : ''}
${restsUntilMs ? html`<p class="note" role="status">${text.resting(clock(restsUntilMs, language))}</p>` : ''}
${shown.question ? questionMarkup(shown, shown.question, text) : idleMarkup(shown, text)}
</main>
</body>
</html>
`,
  );
}

function questionMarkup(shown: PageContent, { id, reason, holder, endsAtMs }: Question, text: Words) {
  const isRequest = reason.kind === 'request';
  return html`<h1>${isRequest ? text.asks(reason.application) : text.firstUse}</h1>
<p>${isRequest ? text.asksMore(shown.server) : text.firstUseMore(shown.server)}</p>
<dl>
${holder ? html`<dt>${text.certificate}</dt><dd>${holder}</dd>` : ''}
<dt>${text.store}</dt><dd>${shown.store}</dd>
${endsAtMs ? html`<dt>${text.until}</dt><dd>${clock(endsAtMs, shown.language)}</dd>` : ''}
</dl>
${pinForm(shown, text, id, isRequest)}`;
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
<button name="action" value="forget">${text.forget}</button></form>`
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
<form method="post" action="./answer" autocomplete="off">
<input type="hidden" name="form" value="${formToken}">
<input type="hidden" name="question" value="${id}">
<input type="hidden" name="lang" value="${language}">
<label for="pin">${text.pin}</label>
<input id="pin" name="pin" type="password" autocomplete="off" maxlength="255" autofocus>
<button class="main" name="action" value="confirm">${text.confirm}</button>
${mayDecline ? html`<button name="action" value="decline">${text.decline}</button>` : ''}
</form>`;
}
