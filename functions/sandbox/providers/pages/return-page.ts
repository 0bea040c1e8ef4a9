import { html } from 'hono/html';
import { assetUrl } from '../../../../shared/ui/assets.ts';
import { renderFrame } from '../../../../shared/ui/frame.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import { page } from '../../../../shared/ui/page.ts';
import { translations } from '../../../../shared/ui/translations.ts';
import type { Query } from '../domain/authorization-request.ts';
import { inLanguage } from './authorize-page.ts';

const words = translations({
  title: { en: 'Back at the client', 'pt-BR': 'De volta ao cliente' },
  what: {
    en: "The sandbox's client application was opened with these values:",
    'pt-BR': 'O aplicativo cliente do ambiente de testes foi aberto com estes valores:',
  },
  none: { en: 'none', 'pt-BR': 'nenhum' },
});

// The page is at /client/return, and its addresses are relative.
const ROOT = '..';

/** What a client application would be given when the user comes back to it. */
export function returnPage(query: Query, language: Language) {
  const { title, what, none } = words(language);
  const rows = Object.entries(query).map(
    ([name, value]) => html`<dt>${name}</dt><dd><code>${String(value)}</code></dd>`,
  );
  const body = html`<main><div class="card notice">
<h1>${title}</h1>
<p>${what}</p>
<dl class="request">${rows.length > 0 ? rows : html`<dt>${none}</dt>`}</dl>
</div></main>`;
  return page({
    title,
    language,
    styles: [assetUrl(ROOT, 'common.css'), assetUrl(ROOT, 'sandbox-authorize.css')],
    body: renderFrame({ language, body, inLanguage: inLanguage(query) }),
  });
}
