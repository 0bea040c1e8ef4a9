import { html } from 'hono/html';
import type { Answer } from '../../shared/http/response/answer.ts';
import { isLocal } from '../../shared/settings/names.ts';
import { renderFrame } from '../../shared/ui/frame.ts';
import type { Language } from '../../shared/ui/languages.ts';
import { type Markup, page } from '../../shared/ui/page.ts';
import { assetAddress } from './assets.ts';
import { CONTENTS, idOf } from './contents.ts';
import type { Library } from './library.ts';
import { MAX_QUERY_LENGTH } from './search.ts';
import { siteWords } from './words.ts';

/** A visit: where the site is, and how its reader reads. */
export type Visit = {
  readonly library: Library;
  readonly language: Language;
  /** The path of the site, without a slash at its end: `/docs`. */
  readonly base: string;
  /** The language as the reader chose it, for every link to go on with: `?lang=pt-BR`, or nothing. */
  readonly suffix: string;
};

type LayoutOptions = {
  readonly title: string;
  readonly description: string;
  /** The page that is shown, which the contents mark. */
  readonly id?: string;
  readonly query?: string;
  readonly body: Markup;
  /** The address of the same page, for the choice of languages. */
  readonly here: string;
  readonly status?: number;
};

/** A page of the site: the search and the contents beside it. Everything works without a script. */
export async function layOut(visit: Visit, options: LayoutOptions): Promise<Answer> {
  const { language, base } = visit;
  const { title, description, id, query = '', body, here, status = 200 } = options;
  const words = siteWords(language);
  const whole = html`<div class="site" data-copy="${words.copy}" data-copied="${words.copied}">
<div class="side">
<form class="search" role="search" method="get" action="${base}/search">
<label for="q">${words.search}</label>
<div><input id="q" name="q" type="search" maxlength="${MAX_QUERY_LENGTH}" value="${query}">
${visit.suffix === '' ? '' : html`<input type="hidden" name="lang" value="${language}">`}<button class="button">${words.find}</button></div>
</form>
<nav aria-label="${words.contents}"><details class="menu"><summary>${words.contents}</summary>${contentsList(visit, id)}</details>
<div class="always">${contentsList(visit, id)}</div></nav>
</div>
<main>${body}</main>
</div>`;
  return page({
    title: `${title} · Sinete`,
    preview: { title, description },
    language,
    status,
    styles: [assetAddress(base, 'site.css')],
    scripts: [assetAddress(base, 'copy.js')],
    showsImages: true,
    formAction: "'self'",
    body: renderFrame({
      language,
      body: whole,
      inLanguage: (other) => `${here}${here.includes('?') ? '&' : '?'}lang=${other}`,
    }),
  });
}

const contentsList = (visit: Visit, current: string | undefined): Markup =>
  html`<ul class="contents">${
    isLocal()
      ? html`<li><a href="${visit.base.replace(/\/docs$/, '')}/${visit.suffix}">${siteWords(visit.language).home}</a></li>`
      : ''
  }<li><a href="${visit.base}${visit.suffix}"${current === '' ? html` aria-current="page"` : ''}>${siteWords(visit.language).title}</a></li>
${CONTENTS.map(
  ({ title, files }) =>
    html`<li><p>${title[visit.language]}</p><ul>${files.map((file) => entry(visit, idOf(file), current))}</ul></li>`,
)}</ul>`;

function entry(visit: Visit, id: string, current: string | undefined): Markup | '' {
  const found = visit.library.page(id, visit.language);
  if (!found) return '';
  const mark = id === current ? html` aria-current="page"` : '';
  const lang = found.language === visit.language ? '' : html` lang="${found.language}"`;
  return html`<li><a href="${visit.base}/${id}${visit.suffix}"${mark}${lang}>${found.title}</a></li>`;
}
