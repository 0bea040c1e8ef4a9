import { html } from 'hono/html';
import { assetUrl } from '../../../../shared/ui/assets.ts';
import { frameAncestorsOf } from '../../../../shared/ui/frame-origins.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import { page } from '../../../../shared/ui/page.ts';
import { MAX_MARKS } from '../../contract/flows/flow-actions.ts';
import { type MarksSession, marksOf, placedActionsOf } from '../../domain/marks-sessions/marks-session.ts';
import { linkWords } from '../action/words.ts';
import type { PlacingData } from '../placing-data.ts';
import { givenMarkOf, PLACING_STYLES, placingArea } from './area.ts';
import { marksPageWords } from './words.ts';

// The page is at /api/marks-sessions/{id}/embed. Its addresses are relative, so it works under any stage prefix.
const ROOT = '../../..';

type MarksVisit = {
  readonly session: MarksSession;
  readonly ticket: string;
  readonly language: Language;
  /** The origins that may show it, and are told what happens. */
  readonly embedOrigins: readonly string[];
};

/** Renders the page at which the marks of a session are placed. It is in a frame of another site, or in a window. */
export function marksPage({ session, ticket, language, embedOrigins }: MarksVisit) {
  const words = marksPageWords(language);
  return page({
    title: `${words.title} · Sinete`,
    language,
    styles: PLACING_STYLES.map((name) => assetUrl(ROOT, name)),
    scripts: [assetUrl(ROOT, 'documents-marks.js')],
    hasReader: true,
    frameAncestors: frameAncestorsOf(embedOrigins),
    body: html`<main data-session="${session.id}" data-ticket="${ticket}" data-embed-origins="${embedOrigins.join(' ')}">
<div class="intro">
<h1>${words.title}</h1>
<p class="faint">${words.intro}</p>
</div>
${placingArea(ROOT, dataOf(session, ticket), language)}
<div class="placing-end">
<div class="problem" role="alert" tabindex="-1" hidden></div>
<p class="working over" role="status"></p>
<button class="button" type="button" id="save" disabled>${words.save}</button>
</div>
</main>`,
  });
}

/** Renders the page of a session that is over, with what to do. */
export function deadMarksPage(language: Language, embedOrigins: readonly string[]) {
  const words = linkWords(language);
  return page({
    title: words.expiredTitle,
    language,
    status: 410,
    styles: [assetUrl(ROOT, 'common.css')],
    frameAncestors: frameAncestorsOf(embedOrigins),
    body: html`<main><div class="card notice"><h1>${words.expiredTitle}</h1><p>${marksPageWords(language).expired}</p></div></main>`,
  });
}

const dataOf = (session: MarksSession, ticket: string): PlacingData => ({
  files: session.files.map(({ id, name, contentType, size }) => ({
    id,
    name,
    address: `${ROOT}/marks-content?${new URLSearchParams({ id: session.id, fileId: id, ticket })}`,
    mimeType: contentType,
    bytes: size,
  })),
  actions: placedActionsOf(session),
  marks: session.request.flowActions.flatMap((_, action) =>
    marksOf(session, action).map((mark) => givenMarkOf(mark, action)),
  ),
  maxMarks: MAX_MARKS,
});
