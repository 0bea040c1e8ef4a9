import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { html, raw } from 'hono/html';
import type { Answer } from '../../shared/http/response/answer.ts';
import { CONTENTS, idOf } from './contents.ts';
import { layOut, type Visit } from './layout.ts';
import type { Page } from './library.ts';
import { linksOf } from './links.ts';
import { renderMarkdown } from './markdown.ts';
import { searchLibrary } from './search.ts';
import { siteWords } from './words.ts';

/** The first page: every page of the site with what it is about. */
export function contentsPage(visit: Visit): Promise<Answer> {
  const { language, library, base, suffix } = visit;
  const words = siteWords(language);
  const groups = CONTENTS.map(({ id, title, files }) => {
    const pages = files.flatMap((file) => library.page(idOf(file), language) ?? []);
    return html`<section aria-labelledby="${id}"><h2 id="${id}">${title[language]}</h2><dl>${pages.map(
      (page) =>
        html`<div${page.language === language ? '' : html` lang="${page.language}"`}><dt><a href="${base}/${page.id}${suffix}">${page.title}</a></dt><dd>${shorten(page.lead)}</dd></div>`,
    )}</dl></section>`;
  });
  return layOut(visit, {
    title: words.title,
    description: words.lead,
    id: '',
    here: base,
    body: html`<h1>${words.title}</h1><p class="lead">${words.lead}</p><div class="groups">${groups}</div>`,
  });
}

const MAX_LEAD_LENGTH = 160;
function shorten(lead: string): string {
  const [sentence = ''] = lead.replaceAll('\n', ' ').split(/(?<=[.:]) /);
  return sentence.length <= MAX_LEAD_LENGTH
    ? sentence.replace(/:$/, '.')
    : `${sentence.slice(0, sentence.lastIndexOf(' ', MAX_LEAD_LENGTH))} …`;
}

const rendered = new Map<string, string>();
let renderedFrom = '';

/** A page as HTML, made once for each way to link on. */
function htmlOf(visit: Visit, page: Page): string {
  const { library, language, suffix, base } = visit;
  if (renderedFrom !== library.stamp) rendered.clear();
  renderedFrom = library.stamp;
  const key = `${page.file}|${language}|${suffix}|${base}`;
  const known = rendered.get(key);
  if (known !== undefined) return known;
  const words = siteWords(language);
  const aliases = originalAnchors(page, library.page(page.id, 'en'));
  const made = renderMarkdown(page.markdown, { ...linksOf(visit, page.file), words, aliases });
  rendered.set(key, made);
  return made;
}

/** English pages without a translation, and bookmarks, lead to a heading by its English anchor. It works in a translation too. */
function originalAnchors(page: Page, original: Page | undefined): Map<string, string> {
  const own = new Set(page.sections.map(({ anchor }) => anchor));
  return new Map(
    page.sections.flatMap(({ anchor }, at): [string, string][] => {
      const alias = original?.sections[at]?.anchor;
      return alias === undefined || own.has(alias) ? [] : [[anchor, alias]];
    }),
  );
}

/** A page of the documentation. */
export function documentPage(visit: Visit, page: Page): Promise<Answer> {
  const words = siteWords(visit.language);
  const parts = page.sections.filter(({ depth }) => depth === 2);
  const lang = page.language === visit.language ? '' : html` lang="${page.language}"`;
  const body = html`${lang === '' ? '' : html`<p class="notice" role="note">${words.notTranslated}</p>`}
${
  parts.length < 3
    ? ''
    : html`<details class="parts"><summary>${words.onThisPage}</summary><ul${lang}>${parts.map(
        ({ anchor, heading }) => html`<li><a href="#${anchor}">${heading}</a></li>`,
      )}</ul></details>`
}<article${lang}>${raw(htmlOf(visit, page))}</article>`;
  return layOut(visit, {
    title: page.title,
    description: shorten(page.lead),
    id: page.id,
    here: `${visit.base}/${page.id}`,
    body,
  });
}

/** What a query finds. */
export function searchPage(visit: Visit, query: string): Promise<Answer> {
  const { language, library, base, suffix } = visit;
  const words = siteWords(language);
  const hits = query.trim() === '' ? [] : searchLibrary(library, query, language);
  const title = query.trim() === '' ? words.search : words.results(hits.length, query.trim());
  const found = hits.map(
    ({ page, section, excerpt }) =>
      html`<li${page.language === language ? '' : html` lang="${page.language}"`}><a href="${base}/${page.id}${suffix}#${section.anchor}">${page.title}${section.depth === 1 ? '' : html` › ${section.heading}`}</a>
<p>${excerpt.map((part, at) => (at % 2 === 0 ? part : html`<mark>${part}</mark>`))}</p></li>`,
  );
  const hint = query.trim() === '' ? words.typeWords : words.noResults;
  return layOut(visit, {
    title,
    description: words.lead,
    query,
    here: `${base}/search?${new URLSearchParams({ q: query })}`,
    body: html`<h1>${title}</h1>${hits.length > 0 ? html`<ul class="hits">${found}</ul>` : html`<p>${hint}</p>`}`,
  });
}

/** A file or folder of the repository that a page links to. */
export function sourcePage(visit: Visit, root: string, path: string): Promise<Answer> {
  const { base, suffix, library, language } = visit;
  const words = siteWords(language);
  const isFolder = library.sources.get(path) === 'folder';
  const body = isFolder
    ? html`<ul class="files">${readdirSync(join(root, path))
        .map((name) => `${path}/${name}`)
        .filter((each) => library.sources.has(each))
        .map(
          (each) => html`<li><a href="${base}/source/${each}${suffix}"><code>${each}</code></a></li>`,
        )}</ul>`
    : html`<div class="code"><pre tabindex="0" role="group" aria-label="${words.code}"><code>${readFileSync(join(root, path), 'utf8')}</code></pre></div>`;
  return layOut(visit, {
    title: path,
    description: isFolder ? words.folder : words.file,
    here: `${base}/source/${path}`,
    body: html`<p class="faint">${isFolder ? words.folder : words.file}</p><h1><code>${path}</code></h1>${body}`,
  });
}

/** What is shown where no page is. */
export function missingPage(visit: Visit): Promise<Answer> {
  const words = siteWords(visit.language);
  return layOut(visit, {
    title: words.missing,
    description: words.lead,
    status: 404,
    here: visit.base,
    body: html`<h1>${words.missing}</h1><p>${words.missingHint}</p>`,
  });
}
