import { html } from 'hono/html';
import type { Answer } from '../../../../shared/http/response/answer.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import { timeOf } from '../../../../shared/ui/time-element.ts';
import { keptPage } from '../../home/pages/kept-page.ts';
import type { KeptMail } from '../domain/mailbox.ts';
import { mailboxWords } from './words.ts';

/** The addresses that mail was sent to, for a browser. */
export function mailboxesPage(
  mailboxes: readonly Pick<KeptMail, 'address' | 'receivedAt'>[],
  language: Language,
): Promise<Answer> {
  const words = mailboxWords(language);
  return keptPage({
    title: words.mailboxes,
    language,
    none: words.none,
    root: '.',
    entries: mailboxes.map(
      ({ address, receivedAt }) =>
        html`<h2><a href="mailbox/${encodeURIComponent(address)}?lang=${language}"><bdi>${address}</bdi></a></h2>
<p class="faint">${words.newest} ${timeOf(language, Date.parse(receivedAt), { time: 'medium' })}</p>`,
    ),
  });
}

/** The mail to an address, for a browser: a message has a page of its own. */
export function mailboxPage(
  address: string,
  mails: readonly Omit<KeptMail, 'address'>[],
  language: Language,
): Promise<Answer> {
  const words = mailboxWords(language);
  const pageOf = (id: string): string =>
    `${encodeURIComponent(address)}/${encodeURIComponent(id)}?lang=${language}`;
  return keptPage({
    title: words.title(address),
    language,
    none: words.none,
    above: ['../mailbox', words.mailboxes],
    entries: mails.map(
      ({ id, subject, from, receivedAt }) =>
        html`<h2><a href="${pageOf(id)}"><bdi>${subject || words.noSubject}</bdi></a></h2>
<p class="faint">${words.from} <bdi>${from}</bdi> · ${timeOf(language, Date.parse(receivedAt), { time: 'medium' })}</p>`,
    ),
  });
}
