import { html } from 'hono/html';
import { redirect } from '../../../../shared/http/response/answer.ts';
import { renderFrame } from '../../../../shared/ui/frame.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import { page } from '../../../../shared/ui/page.ts';
import type { Query } from '../domain/authorization-request.ts';
import { inLanguage, STYLES } from './authorize-page.ts';
import { authorizeWords } from './authorize-words.ts';

/** Back to the client. The address that is left holds the state, which no other site is to see. */
export const redirectToClient = (location: string) =>
  redirect(location, { headers: { 'referrer-policy': 'no-referrer' } });

/** Shown in the place of a way back that nobody vouches for. */
export function untrustedPage(about: 'client_id' | 'redirect_uri', query: Query, language: Language) {
  const words = authorizeWords(language);
  const body = html`<main><div class="card notice">
<p class="note">${words.sandbox}</p>
<h1>${words.untrustedTitle}</h1>
<p>${words[about]}</p>
</div></main>`;
  return page({
    title: words.untrustedTitle,
    language,
    status: 400,
    styles: STYLES,
    body: renderFrame({ language, body, inLanguage: inLanguage(query) }),
  });
}
