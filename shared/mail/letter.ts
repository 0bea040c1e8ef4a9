import { html } from 'hono/html';
import type { Branding } from '../brand/branding.ts';
import type { Language } from '../ui/languages.ts';
import type { Markup } from '../ui/page.ts';
import { translations } from '../ui/translations.ts';
import { LETTER_STYLE, type LetterColors, letterColors } from './letter-style.ts';
import type { Mail } from './smtp.ts';

/** The words of a message in one language. */
export type LetterPart = {
  readonly title: string;
  readonly paragraphs: readonly string[];
  readonly facts?: readonly (readonly [label: string, value: string])[];
  /** What the button says. */
  readonly button?: string;
  /** Below the button, in small letters. */
  readonly notes?: readonly string[];
};

/** A message to one person. */
export type Letter = {
  readonly to: { readonly name: string; readonly address: string };
  /** Who it comes from, as people see it. The address of the logo is absolute. */
  readonly branding: Branding;
  /** The name of what the message is about, at the end of its subject. */
  readonly topic?: string;
  readonly parts: Readonly<Record<Language, LetterPart>>;
  /** The only one that it is written in. Left out: both. */
  readonly language?: Language | undefined;
  /** Where the button leads: to the very thing that the message is about. */
  readonly url?: string | undefined;
  /** A text to be typed elsewhere, shown large. */
  readonly code?: string | undefined;
};

const letterWords = translations({
  greeting: { en: (name: string) => `Hello ${name},`, 'pt-BR': (name: string) => `Olá, ${name}.` },
  notAnswered: {
    en: 'This message was sent by a program. Answers are not read.',
    'pt-BR': 'Esta mensagem foi enviada por um programa. Respostas não são lidas.',
  },
  address: { en: 'If the button does not work, open:', 'pt-BR': 'Se o botão não funcionar, abra:' },
});

// The language of a person is not known: Portuguese first, English below.
const ORDER = ['pt-BR', 'en'] as const;

const orderOf = ({ language }: Pick<Letter, 'language'>): readonly Language[] =>
  language === undefined ? ORDER : [language];

/**
 * The message as SMTP takes it: HTML that fits a phone, and the same as plain text.
 * @example await renderLetter({ to, branding, parts: { en, 'pt-BR': pt }, url });
 */
export async function renderLetter(letter: Letter): Promise<Pick<Mail, 'to' | 'subject' | 'text' | 'html'>> {
  const to = { name: plain(letter.to.name), address: letter.to.address };
  const order = orderOf(letter);
  const title = order.map((language) => plain(letter.parts[language].title)).join(' / ');
  const topic = plain(letter.topic ?? '');
  const view: View = { ...letter, to, title, colors: letterColors(letter.branding.color) };
  return {
    to,
    subject: topic === '' ? title : `${title}: ${topic}`,
    text: order.map((language) => textOf(view, language)).join('\n\n----\n\n'),
    html: String(await documentOf(view)),
  };
}

// Header injection: file names and names of people come from outside. CR LF would end a header, and marks of direction
// would show a name that is another one. nodemailer encodes headers too.
const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();

type View = Letter & { readonly title: string; readonly colors: LetterColors };

function textOf({ to, branding, parts, url, code }: View, language: Language): string {
  const { paragraphs, facts = [], button, notes = [] } = parts[language];
  const words = letterWords(language);
  return [
    plain(branding.displayName),
    words.greeting(to.name),
    ...paragraphs.map(plain),
    ...(facts.length > 0 ? [facts.map(([label, value]) => `${label}: ${plain(value)}`).join('\n')] : []),
    ...(code === undefined ? [] : [code]),
    ...(url === undefined ? [] : [`${button}: ${url}`]),
    ...notes.map(plain),
    words.notAnswered,
  ].join('\n\n');
}

// Mail readers know little of style sheets: tables carry the layout, and what must be so is written at each element.
const documentOf = (view: View): Markup => html`<!doctype html>
<html lang="${orderOf(view)[0]}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${view.title}</title>${LETTER_STYLE}</head>
<body class="paper" style="margin:0;padding:0;background:#f5f3ee;color:#1c2330;font-family:system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif;font-size:16px;line-height:1.5">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" class="sheet" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;background:#ffffff;border:1px solid #d9d5cb;border-radius:14px">
<tr><td style="padding:20px 24px 0">${brandOf(view)}</td></tr>
${orderOf(view).map((language, at) => rowsOf(view, language, at === 0))}
</table>
</td></tr></table>
</body></html>`;

/** The words in one language. What is the same in every language stands in the first part. */
const rowsOf = (view: View, language: Language, isFirst: boolean): Markup =>
  isFirst
    ? html`<tr><td lang="${language}" style="padding:12px 24px 0">${partOf(view, language)}</td></tr>
${codeOf(view)}${buttonOf(view)}
<tr><td lang="${language}" class="faint" style="padding:4px 24px 16px;color:#5a6270;font-size:14px">${notesOf(view, language, isFirst)}</td></tr>`
    : html`<tr><td lang="${language}" class="line" style="padding:16px 24px 0;border-top:1px solid #d9d5cb">${partOf(view, language)}</td></tr>
<tr><td lang="${language}" class="faint" style="padding:4px 24px 20px;color:#5a6270;font-size:14px">${notesOf(view, language, isFirst)}</td></tr>`;

const brandOf = ({ branding: { displayName, logoUrl } }: View): Markup =>
  logoUrl === null
    ? html`<p style="margin:0;font-size:18px;font-weight:700">${displayName}</p>`
    : html`<table role="presentation" cellpadding="0" cellspacing="0"><tr>
<td style="padding-right:12px"><img src="${logoUrl}" alt="" height="40" style="display:block;max-height:40px;border:0"></td>
<td style="font-size:18px;font-weight:700">${displayName}</td></tr></table>`;

function partOf({ parts, to }: View, language: Language): Markup {
  const { title, paragraphs, facts = [] } = parts[language];
  return html`<h1 style="margin:0 0 8px;font-size:20px;line-height:1.25">${title}</h1>
<p style="margin:0 0 8px">${letterWords(language).greeting(to.name)}</p>
${paragraphs.map((text) => html`<p style="margin:0 0 8px">${text}</p>`)}
${
  facts.length > 0 &&
  html`<table cellpadding="0" cellspacing="0" style="margin:4px 0 8px">${facts.map(
    ([label, value]) =>
      html`<tr><th scope="row" align="left" valign="top" class="faint" style="padding:2px 16px 2px 0;color:#5a6270;font-weight:400">${label}</th><td style="padding:2px 0;font-weight:600;overflow-wrap:anywhere">${value}</td></tr>`,
  )}</table>`
}`;
}

const codeOf = ({ code }: View): Markup | '' =>
  code === undefined
    ? ''
    : html`<tr><td align="center" style="padding:8px 24px"><p style="margin:0;font-size:32px;font-weight:700;letter-spacing:6px;font-family:ui-monospace,Menlo,Consolas,monospace">${code}</p></td></tr>`;

function buttonOf({ url, parts, colors, language: only }: View): Markup | '' {
  if (url === undefined) return '';
  const label = [...new Set(orderOf({ language: only }).map((language) => parts[language].button))].join(
    ' / ',
  );
  return html`<tr><td style="padding:8px 24px 12px"><a class="button" href="${url}" style="display:block;padding:14px 20px;border-radius:10px;background:${colors.background};color:${colors.text};font-weight:700;text-align:center;text-decoration:none">${label}</a></td></tr>`;
}

function notesOf({ parts, url }: View, language: Language, isFirst: boolean): Markup {
  const words = letterWords(language);
  return html`${(parts[language].notes ?? []).map((text) => html`<p style="margin:0 0 8px">${text}</p>`)}
${url !== undefined && isFirst && html`<p style="margin:0 0 8px;overflow-wrap:anywhere">${words.address} <span class="address">${url}</span></p>`}
<p style="margin:0">${words.notAnswered}</p>`;
}
