import { html } from 'hono/html';
import type { Branding } from '../../../../shared/brand/branding.ts';
import { assetUrl } from '../../../../shared/ui/assets.ts';
import { frameAncestorsOf } from '../../../../shared/ui/frame-origins.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import { type Markup, page } from '../../../../shared/ui/page.ts';
import { branded } from './branded.ts';
import { codeWords } from './code-words.ts';
import { ROOT } from './page.ts';

/** What the page says beside what it asks for. */
export type CodeNotice =
  | { readonly kind: 'sent' | 'expired' | 'tooMany' | 'impossible' }
  | { readonly kind: 'wrong'; readonly attemptsLeft: number };

type CodeVisit = {
  /** Of the organization, which the link tells anyway; null where there is none. */
  readonly branding: Branding | null;
  /** Masked; null where none is known. */
  readonly address: string | null;
  readonly ticket: string;
  readonly language: Language;
  readonly isEmbedded: boolean;
  /** The origins whose pages may show it in a frame. */
  readonly embedOrigins: readonly string[];
  readonly notice?: CodeNotice | undefined;
};

const PROBLEM_STATUS = { wrong: 422, expired: 422, tooMany: 429, impossible: 422 } as const;

/** Renders the page that asks for a code by mail. It has nothing of the document, and needs no script. */
export function codePage(visit: CodeVisit) {
  const { language, ticket, isEmbedded, notice, embedOrigins, branding } = visit;
  const words = codeWords(language);
  const body = html`<main><div class="card notice">
<h1>${words.title}</h1>
<p>${branding === null ? words.asksNobody : words.asks(branding.displayName)}</p>
${visit.address !== null && html`<p><span class="faint">${words.address}:</span> <strong>${visit.address}</strong></p>`}
${visit.address === null ? problemOf(words.impossible) : forms(visit)}
</div></main>`;
  const inLanguage = (other: Language) =>
    `${isEmbedded ? 'embed' : 'action'}?${new URLSearchParams({ ticket, lang: other })}`;
  return page({
    title: words.title,
    language,
    status: notice === undefined || notice.kind === 'sent' ? 200 : PROBLEM_STATUS[notice.kind],
    styles: [assetUrl(ROOT, 'common.css')],
    formAction: "'self'",
    ...branded(body, { language, inLanguage, branding, isEmbedded }),
    ...(isEmbedded && { frameAncestors: frameAncestorsOf(embedOrigins) }),
  });
}

const problemOf = (text: string): Markup => html`<p class="problem" role="alert" id="problem">${text}</p>`;

function noticeOf(notice: CodeNotice | undefined, language: Language): Markup | '' {
  const words = codeWords(language);
  if (notice === undefined) return '';
  if (notice.kind === 'sent') return html`<p role="status">${words.sent}</p>`;
  return problemOf(notice.kind === 'wrong' ? words.wrong(notice.attemptsLeft) : words[notice.kind]);
}

/** First the button that sends a code, then the field for it. A code is sent for a click only: mail scanners open links. */
function forms({ ticket, language, isEmbedded, notice }: CodeVisit): Markup {
  const words = codeWords(language);
  const form = (fields: Markup, className = '') =>
    html`<form class="form ${className}" method="post" action="code?lang=${language}">
<input type="hidden" name="ticket" value="${ticket}"><input type="hidden" name="embedded" value="${String(isEmbedded)}">
${fields}
</form>`;
  const isSent = notice !== undefined && notice.kind !== 'impossible';
  const isWrong = notice?.kind === 'wrong';
  return html`${noticeOf(notice, language)}
${
  isSent &&
  form(html`<div class="field">
<label for="code">${words.code}</label>
<input id="code" name="code" required inputmode="numeric" autocomplete="one-time-code" maxlength="20" aria-describedby="${isWrong ? 'problem ' : ''}hint"${isWrong ? html` aria-invalid="true"` : ''} autofocus>
<p class="faint" id="hint">${words.hint}</p>
</div>
<button class="button wide">${words.open}</button>`)
}
${form(html`<button class="button wide${isSent ? ' quiet' : ''}">${isSent ? words.sendAgain : words.send}</button>`)}`;
}
