import { html } from 'hono/html';
import type { Answer } from '../../../../shared/http/response/answer.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import type { Markup } from '../../../../shared/ui/page.ts';
import { timeOf } from '../../../../shared/ui/time-element.ts';
import { keptPage } from '../../home/pages/kept-page.ts';
import type { KeptMail } from '../domain/mailbox.ts';
import { mailboxWords } from './words.ts';

/** One message, for a browser: as a mail reader shows it, its links, and its plain text. */
export function mailPage(
  address: string,
  { id, subject, from, to, receivedAt, text, html: markup }: Omit<KeptMail, 'address'>,
  language: Language,
): Promise<Answer> {
  const words = mailboxWords(language);
  const links = [...new Set(text.match(ADDRESS) ?? [])];
  const head = html`<dl class="mail-head">
<dt>${words.from}</dt><dd><bdi>${from}</bdi></dd>
<dt>${words.to}</dt><dd><bdi>${to.join(', ')}</bdi></dd>
<dt>${words.received}</dt><dd>${timeOf(language, Date.parse(receivedAt), { time: 'medium' })}</dd>
</dl>`;
  return keptPage({
    title: subject || words.noSubject,
    language,
    none: '',
    root: '../..',
    above: [`../${encodeURIComponent(address)}`, words.title(address)],
    hasFrame: markup !== undefined,
    entries: [
      html`${head}${links.length > 0 && html`<h2>${words.links}</h2><ul class="links">${links.map(linkTo)}</ul>`}`,
      ...(markup === undefined
        ? []
        : [
            html`<h2>${words.message}</h2><iframe class="mail-frame" sandbox="allow-popups allow-popups-to-escape-sandbox" src="${encodeURIComponent(id)}/html" title="${words.message}"></iframe>`,
          ]),
      html`<h2>${words.text}</h2><p class="mail">${linksIn(text)}</p>`,
    ],
  });
}

const ADDRESS = /https?:\/\/[^\s<>"]+/g;

const linkTo = (href: string): Markup => html`<li>${anchor(href)}</li>`;

const anchor = (href: string): Markup => html`<a href="${href}" rel="noreferrer">${href}</a>`;

/** A text whose addresses of the web can be followed. */
const linksIn = (text: string): readonly (Markup | string)[] =>
  text.split(/(https?:\/\/[^\s<>"]+)/).map((part, at) => (at % 2 === 1 ? anchor(part) : part));
