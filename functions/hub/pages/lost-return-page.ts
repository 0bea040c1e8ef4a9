import { html } from 'hono/html';
import { assetUrl } from '../../../shared/ui/assets.ts';
import { renderFrame } from '../../../shared/ui/frame.ts';
import type { Language } from '../../../shared/ui/languages.ts';
import { page } from '../../../shared/ui/page.ts';
import { translations } from '../../../shared/ui/translations.ts';

const words = translations({
  title: { en: 'This authorization is over', 'pt-BR': 'Esta autorização já terminou' },
  why: {
    en: 'You came back from a certificate provider with an authorization that was used already, that was not begun here, or whose application may receive nobody any more.',
    'pt-BR':
      'Você voltou de um provedor de certificados com uma autorização que já foi usada, que não começou aqui ou cujo aplicativo não pode mais receber ninguém.',
  },
  whatToDo: {
    en: 'Coming here changed nothing. If the application where you began still waits for you, go back to it and start again.',
    'pt-BR':
      'Esta visita não mudou nada. Se o aplicativo em que você começou ainda espera por você, volte a ele e comece de novo.',
  },
});

// The page is at /api/sessions/callback. Relative addresses work under any stage prefix.
const ROOT = '../..';

/** For a user who cannot be sent on: no address can be trusted. */
export function lostReturnPage(language: Language) {
  const { title, why, whatToDo } = words(language);
  const body = html`<main><div class="card notice"><h1>${title}</h1><p>${why}</p><p>${whatToDo}</p></div></main>`;
  return page({
    title,
    language,
    status: 400,
    styles: [assetUrl(ROOT, 'common.css')],
    body: renderFrame({ language, body, inLanguage: (other) => `?lang=${other}` }),
  });
}
