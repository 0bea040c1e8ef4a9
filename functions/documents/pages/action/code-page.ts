import { html } from 'hono/html';
import type { Branding } from '../../../../shared/brand/branding.ts';
import { assetUrl } from '../../../../shared/ui/assets.ts';
import { frameAncestorsOf } from '../../../../shared/ui/frame-origins.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import { type Markup, page } from '../../../../shared/ui/page.ts';
import { translations } from '../../../../shared/ui/translations.ts';
import { branded } from './branded.ts';
import { ROOT } from './page.ts';

/** The texts of the page that asks for a code by mail before it shows a document. */
const codeWords = translations({
  title: { en: 'Confirm your address', 'pt-BR': 'Confirme seu e‑mail' },
  asks: {
    en: (who: string) => `${who} shows you a document after a code that is sent to your address.`,
    'pt-BR': (who: string) => `${who} mostra o documento após um código enviado ao seu e-mail.`,
  },
  asksNobody: {
    en: 'The document is shown after a code that is sent to your address.',
    'pt-BR': 'O documento é mostrado após um código enviado ao seu e-mail.',
  },
  address: { en: 'Your address', 'pt-BR': 'Seu e-mail' },
  send: { en: 'Send me the code', 'pt-BR': 'Enviar o código' },
  sendAgain: { en: 'Send a new code', 'pt-BR': 'Enviar um novo código' },
  sent: {
    en: 'The code is on its way. It may take a minute; look into the spam folder too.',
    'pt-BR': 'O código está a caminho. Pode levar um minuto; veja também a pasta de spam.',
  },
  sentBefore: {
    en: 'A code was sent to you. Type it here, or send a new one.',
    'pt-BR': 'Um código já foi enviado a você. Digite-o aqui, ou envie um novo.',
  },
  code: { en: 'Code', 'pt-BR': 'Código' },
  hint: {
    en: 'Six digits, valid for 10 minutes.',
    'pt-BR': 'Seis dígitos, válidos por 10 minutos.',
  },
  open: { en: 'Open the document', 'pt-BR': 'Abrir o documento' },
  wrong: {
    en: (left: number) =>
      `This is not the code that was sent last. ${left === 1 ? 'One attempt is' : `${left} attempts are`} left.`,
    'pt-BR': (left: number) =>
      `Este não é o último código enviado. ${left === 1 ? 'Resta uma tentativa' : `Restam ${left} tentativas`}.`,
  },
  expired: {
    en: 'No code is valid any more. Send a new one.',
    'pt-BR': 'Nenhum código vale mais. Envie um novo.',
  },
  tooMany: {
    en: 'Three codes were sent within a few minutes. Wait ten minutes, or look for the last one.',
    'pt-BR': 'Três códigos foram enviados em poucos minutos. Espere dez minutos, ou procure o último.',
  },
  impossible: {
    en: 'No code can be sent to you: your address is not known, or mail is off. Ask the sender.',
    'pt-BR':
      'Não é possível enviar um código: seu e-mail não é conhecido, ou o envio está desligado. Fale com quem enviou.',
  },
});

/** What the page says of the last try. */
export const CODE_NOTICES = ['sent', 'wrong', 'expired', 'tooMany', 'impossible'] as const;
export type CodeNotice = (typeof CODE_NOTICES)[number];

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
  /** Of the code that was sent last; 0 where none is good. */
  readonly attemptsLeft: number;
};

/** Renders the page that asks for a code by mail. It has nothing of the document, and needs no script. */
export function codePage(visit: CodeVisit) {
  const { language, ticket, isEmbedded, embedOrigins, branding } = visit;
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
    styles: [assetUrl(ROOT, 'common.css')],
    formAction: "'self'",
    ...branded(body, { language, inLanguage, branding, isEmbedded }),
    ...(isEmbedded && { frameAncestors: frameAncestorsOf(embedOrigins) }),
  });
}

const problemOf = (text: string): Markup => html`<p class="problem" role="alert" id="problem">${text}</p>`;

function noticeOf({ notice, attemptsLeft, language }: CodeVisit): Markup | '' {
  const words = codeWords(language);
  if (notice === 'sent') return html`<p role="status">${words.sent}</p>`;
  if (notice === 'wrong') return problemOf(attemptsLeft > 0 ? words.wrong(attemptsLeft) : words.expired);
  if (notice !== undefined) return problemOf(words[notice]);
  return attemptsLeft > 0 ? html`<p role="status">${words.sentBefore}</p>` : '';
}

/** First the button that sends a code, then the field for it. A code is sent for a click only: mail scanners open links. */
function forms(visit: CodeVisit): Markup {
  const { ticket, language, isEmbedded, notice, attemptsLeft } = visit;
  const words = codeWords(language);
  const form = (fields: Markup, className = '') =>
    html`<form class="form ${className}" method="post" action="code?lang=${language}">
<input type="hidden" name="ticket" value="${ticket}"><input type="hidden" name="embedded" value="${String(isEmbedded)}">
${fields}
</form>`;
  // The mail is on its way before its code is kept.
  const isSent = notice === 'sent' || attemptsLeft > 0;
  const isWrong = notice === 'wrong';
  return html`${noticeOf(visit)}
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
