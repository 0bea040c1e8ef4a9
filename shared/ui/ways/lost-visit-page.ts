import { html } from 'hono/html';
import type { Answer } from '../../http/response/answer.ts';
import { renderFrame } from '../frame.ts';
import type { Language } from '../languages.ts';
import { page } from '../page.ts';
import { translations } from '../translations.ts';

const lostWords = translations({
  title: { en: 'This browser began no signature', 'pt-BR': 'Este navegador não começou nenhuma assinatura' },
  text: {
    en: 'Nothing was signed. Open the link of your document again, in the browser in which you want to sign.',
    'pt-BR':
      'Nada foi assinado. Abra de novo o link do seu documento, no navegador em que você quer assinar.',
  },
});

/** For somebody who comes back from a provider, and whose browser does not know from where. */
export function lostVisitPage(language: Language, styles: readonly string[]): Promise<Answer> {
  const words = lostWords(language);
  const body = html`<main><div class="card notice"><h1>${words.title}</h1><p>${words.text}</p></div></main>`;
  return page({
    title: words.title,
    language,
    status: 410,
    styles,
    body: renderFrame({ language, body, inLanguage: (other) => `?lang=${other}` }),
  });
}
