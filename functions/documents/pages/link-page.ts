import { html } from 'hono/html';
import { assetUrl } from '../../../shared/ui/assets.ts';
import { renderFrame } from '../../../shared/ui/frame.ts';
import type { Language } from '../../../shared/ui/languages.ts';
import { page } from '../../../shared/ui/page.ts';
import { ROOT } from './action-page.ts';
import { linkWords } from './action-words.ts';

/** Why a link opens nothing: there is no such document, or its time is over. */
export type DeadLink = 'unknown' | 'expired';

const STATUS = { unknown: 404, expired: 410 } as const;

type Shown = { readonly language: Language; readonly isEmbedded: boolean; readonly frameAncestors?: string };

/** What is shown instead of a document, with what to do about it. */
export function deadLinkPage(why: DeadLink, { language, isEmbedded, ...policy }: Shown) {
  const words = linkWords(language);
  const [title, text] =
    why === 'unknown' ? [words.title, words.wrongKey] : [words.expiredTitle, words.expired];
  const body = html`<main><div class="card notice"><h1>${title}</h1><p>${text}</p></div></main>`;
  return page({
    title,
    language,
    status: STATUS[why],
    styles: [assetUrl(ROOT, 'common.css')],
    body: isEmbedded ? body : renderFrame({ language, body, inLanguage: (other) => `?lang=${other}` }),
    ...policy,
  });
}
