import { html } from 'hono/html';
import type { Deadline } from '../../async/deadline.ts';
import { PAGE, REDIRECT } from '../../http/declaration.ts';
import type { Endpoint, Service } from '../../http/endpoint.ts';
import { pageEndpoint } from '../../http/page-endpoint.ts';
import { type Answer, redirect } from '../../http/response/answer.ts';
import type { ReturnRequest, ReturnResult } from '../../hub/return.ts';
import { assetUrl } from '../assets.ts';
import { renderFrame } from '../frame.ts';
import { ANYBODY, type Language } from '../languages.ts';
import { page } from '../page.ts';
import { translations } from '../translations.ts';

const RESERVE_MS = 2_000;

// The address has the hub's session, which signs.
const HEADERS = { 'referrer-policy': 'no-referrer' };

/**
 * Where the hub sends the signers of a service back to.
 * @example export const handler = returnEndpoint(documents, returnToPage);
 */
export const returnEndpoint = <Code extends string, Policy extends string>(
  service: Service<Code, Policy | 'ways'>,
  returnToPage: (request: ReturnRequest, deadline: Deadline) => Promise<ReturnResult | undefined>,
): Endpoint =>
  pageEndpoint(service, ANYBODY)(
    {
      route: 'GET /cloud/return',
      summary: 'Where a hub sends signers back',
      answers: { 303: REDIRECT, 410: PAGE },
      rate: 'ways',
    },
    async ({ query, cookies, deadlineAtMs }, { language }) => {
      const deadline = { atMs: deadlineAtMs - RESERVE_MS, now: Date.now };
      const returned = await returnToPage({ query, cookies }, deadline);
      if (!returned) return lostVisitPage(language, [assetUrl('..', 'common.css')]);
      return redirect(returned.back, { status: 303, headers: HEADERS, cookies: returned.cookies });
    },
  );

const lostWords = translations({
  title: { en: 'This browser began no signature', 'pt-BR': 'Este navegador não começou nenhuma assinatura' },
  text: {
    en: 'Nothing was signed. Open the link of your document again, in the browser in which you want to sign.',
    'pt-BR':
      'Nada foi assinado. Abra de novo o link do seu documento, no navegador em que você quer assinar.',
  },
});

/** For somebody who comes back from a provider, and whose browser does not know from where. */
function lostVisitPage(language: Language, styles: readonly string[]): Promise<Answer> {
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
