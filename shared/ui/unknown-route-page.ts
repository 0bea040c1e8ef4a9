import { html } from 'hono/html';
import type { RefusedRequest } from '../http/declaration.ts';
import { commonSettings } from '../settings/common.ts';
import { seal } from './icons.ts';
import { ANYBODY } from './languages.ts';
import { page } from './page.ts';
import { translations } from './translations.ts';

const words = translations({
  title: { en: 'Nothing is at this address', 'pt-BR': 'Não há nada neste endereço' },
  check: {
    en: 'Check that the address is complete. A link may also have ended, or what it led to may have been removed.',
    'pt-BR':
      'Confira se o endereço está completo. O link também pode ter terminado, ou aquilo a que levava pode ter sido removido.',
  },
  start: { en: 'Go to the start page', 'pt-BR': 'Ir para a página inicial' },
});

// In the page itself: not every service has stylesheets to serve, and no service is at an address above them all.
const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; --paper: #f5f3ee; --sheet: #fff; --ink: #1c2330; --faint: #5a6270; --line: #d9d5cb; --wax: #9d2b3a; --primary: #1f4f82; }
@media (prefers-color-scheme: dark) { :root { --paper: #14171c; --sheet: #1d2129; --ink: #e9eaee; --faint: #a5adba; --line: #343a46; --wax: #d05666; --primary: #8dbbf0; } }
body { margin: 0; background: var(--paper); color: var(--ink); }
header { padding: 0.7rem 1.75rem; border-bottom: 1px solid var(--line); font-weight: 650; }
header p { margin: 0; }
.seal { width: 1.7em; height: 1.7em; vertical-align: -0.45em; }
.seal .wax { fill: var(--wax); }
.seal .mark { fill: none; stroke: var(--paper); stroke-width: 1.8; stroke-linecap: round; }
main { box-sizing: border-box; width: min(34rem, calc(100% - 2rem)); margin: 12vh auto 0; padding: 1.4rem; background: var(--sheet); border: 1px solid var(--line); border-radius: 14px; overflow-wrap: anywhere; }
h1 { margin: 0; font-size: 1.6rem; line-height: 1.2; }
a { color: var(--primary); }
.faint { color: var(--faint); }
`;

/**
 * What a browser is shown where no route is. `start` is the address of a page of the service, below the public one.
 * @example export const handler = batch.refuseUnknownRoute(unknownRoutePage('/batch'));
 */
export const unknownRoutePage =
  (start?: string) =>
  async ({ status, code }: { readonly status: number; readonly code?: string }, request: RefusedRequest) => {
    const language = ANYBODY.language(request);
    const own = words(language);
    const root = new URL(commonSettings['Http:PublicUrl']).pathname.replace(/\/$/, '');
    return page({
      title: own.title,
      language,
      status,
      inlineStyle: STYLE,
      body: html`<header><p>${seal} Sinete</p></header>
<main>
<h1>${own.title}</h1>
<p>${own.check}</p>
${start === undefined ? '' : html`<p><a href="${root}${start}">${own.start}</a></p>`}
<p class="faint">${status}${code === undefined ? '' : html` <code>${code}</code>`}</p>
</main>`,
    });
  };
