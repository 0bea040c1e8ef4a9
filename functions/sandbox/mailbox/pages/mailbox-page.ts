import { html } from 'hono/html';
import type { Answer } from '../../../../shared/http/response/answer.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import type { Markup } from '../../../../shared/ui/page.ts';
import { timeOf } from '../../../../shared/ui/time-element.ts';
import { translations } from '../../../../shared/ui/translations.ts';
import { keptPage } from '../../home/pages/kept-page.ts';
import type { KeptMail } from '../domain/mailbox.ts';

const mailboxWords = translations({
  title: {
    en: (address: string) => `Mail to ${address}`,
    'pt-BR': (address: string) => `E-mails para ${address}`,
  },
  none: {
    en: 'No mail has arrived in the last day. An approver gets one when a payment file waits for them: run examples/approved-payment/run.sh.',
    'pt-BR':
      'Nenhum e-mail chegou no último dia. Quem aprova recebe um quando um arquivo de pagamento espera: execute examples/approved-payment/run.sh.',
  },
  from: { en: 'From', 'pt-BR': 'De' },
});

/** The mail to an address, for a browser. The text is shown and not the HTML, which anybody may have written. */
export function mailboxPage(
  address: string,
  mails: readonly Omit<KeptMail, 'address'>[],
  language: Language,
): Promise<Answer> {
  const words = mailboxWords(language);
  return keptPage({
    title: words.title(address),
    language,
    none: words.none,
    entries: mails.map(
      ({ subject, from, receivedAt, text }) => html`<h2><bdi>${subject}</bdi></h2>
<p class="faint">${words.from} <bdi>${from}</bdi> · ${timeOf(language, Date.parse(receivedAt), { time: 'medium' })}</p>
<p class="mail">${linksIn(text)}</p>`,
    ),
  });
}

/** A text whose addresses of the web can be followed. */
const linksIn = (text: string): readonly (Markup | string)[] =>
  text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, at) => (at % 2 === 1 ? html`<a href="${part}" rel="noreferrer">${part}</a>` : part));
