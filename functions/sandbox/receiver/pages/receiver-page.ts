import { html } from 'hono/html';
import type { Answer } from '../../../../shared/http/response/answer.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import { formatSize } from '../../../../shared/ui/numbers.ts';
import { timeOf } from '../../../../shared/ui/time-element.ts';
import { translations } from '../../../../shared/ui/translations.ts';
import { keptPage } from '../../home/pages/kept-page.ts';
import type { Delivery } from '../domain/deliveries.ts';

const receiverWords = translations({
  title: {
    en: (name: string) => `What the receiver “${name}” got`,
    'pt-BR': (name: string) => `O que o receptor “${name}” recebeu`,
  },
  none: {
    en: 'Nothing has arrived in the last day. Send something: curl -d hello, to the address of this page.',
    'pt-BR': 'Nada chegou no último dia. Envie algo: curl -d hello, para o endereço desta página.',
  },
  answered: { en: 'answered', 'pt-BR': 'respondido' },
  headers: { en: 'Headers', 'pt-BR': 'Cabeçalhos' },
  large: { en: 'The body is too large to be shown.', 'pt-BR': 'O corpo é grande demais para ser exibido.' },
  empty: { en: 'The body is empty.', 'pt-BR': 'O corpo está vazio.' },
});

/** What a receiver got, for a browser. */
export function receiverPage(
  name: string,
  deliveries: readonly Omit<Delivery, 'receiver'>[],
  language: Language,
): Promise<Answer> {
  const words = receiverWords(language);
  return keptPage({
    title: words.title(name),
    language,
    none: words.none,
    entries: deliveries.map(
      ({
        receivedAt,
        status,
        size,
        headers,
        body,
      }) => html`<h2>${timeOf(language, Date.parse(receivedAt), { time: 'medium' })}</h2>
<p class="faint">${formatSize(language, size)} · ${words.answered} ${status}</p>
${body ? html`<pre tabindex="0"><code>${readable(body)}</code></pre>` : html`<p>${body === null ? words.large : words.empty}</p>`}
<details><summary>${words.headers}</summary>
<pre tabindex="0"><code>${Object.entries(headers)
        .map(([header, value]) => `${header}: ${value}`)
        .join('\n')}</code></pre></details>`,
    ),
  });
}

/** JSON on several lines; any other text as it is. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
