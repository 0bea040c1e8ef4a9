import { html } from 'hono/html';
import { assetUrl } from '../../../../shared/ui/assets.ts';
import { renderFrame } from '../../../../shared/ui/frame.ts';
import { check, clock, cross, sheet } from '../../../../shared/ui/icons.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import { type Markup, page } from '../../../../shared/ui/page.ts';
import { formatSize } from '../../../../shared/ui/size.ts';
import type { ActionDetails } from '../../contract/signing.ts';
import { formatDay } from '../format.ts';
import { actionPanel } from './panel.ts';
import { actionWords } from './words.ts';

/** The input of the page at an action URL. */
type ActionVisit = {
  readonly details: ActionDetails;
  readonly key: string;
  readonly ticket: string;
  readonly language: Language;
};

// The page is at /document/key/{key}/action. Its addresses are relative, so it works under any stage prefix.
export const ROOT = '../../..';
const apiOf = ({ key }: ActionVisit): string => `${ROOT}/api/documents/keys/${encodeURIComponent(key)}`;
const contentOf = (visit: ActionVisit): string =>
  `${apiOf(visit)}/content?ticket=${encodeURIComponent(visit.ticket)}`;

type FrameOptions = { readonly isEmbedded: boolean; readonly frameAncestors?: string };

/** Renders the page at which a person reads a document and signs, approves or refuses it. */
export function actionPage(visit: ActionVisit, { isEmbedded, ...policy }: FrameOptions) {
  const { language, details } = visit;
  const body = mainContent(visit);
  const inLanguage = (other: Language) => `?${new URLSearchParams({ ticket: visit.ticket, lang: other })}`;
  return page({
    title: details.name,
    language,
    styles: [assetUrl(ROOT, 'common.css'), assetUrl(ROOT, 'documents-action.css')],
    scripts: [assetUrl(ROOT, 'documents-action.js')],
    showsFiles: true,
    body: isEmbedded ? body : renderFrame({ language, body, inLanguage }),
    ...policy,
  });
}

function mainContent(visit: ActionVisit): Markup {
  const { details, language, ticket } = visit;
  const address = contentOf(visit);
  return html`<main data-api="${apiOf(visit)}" data-ticket="${ticket}" data-action="${details.action.id}" data-content="${address}" data-open="${String(details.action.canAct)}">
<div class="intro">
<p class="faint">${requestLine(details, language)}</p>
<h1>${details.name}</h1>
<p class="faint">${factsLine(details, language)}</p>
${details.description && html`<p class="description">${details.description}</p>`}
</div>
<div class="columns">
${documentView(details, address, language)}
<div class="aside">
${actionPanel(details, address, language)}
${participants(details, language)}
</div>
</div>
</main>`;
}

function requestLine({ organizationName: who, action }: ActionDetails, language: Language): string {
  const words = actionWords(language);
  if (!action.canAct) return who ?? '';
  if (action.kind === 'signature') return who ? words.asksSignature(who) : words.asksSignatureNobody;
  return who ? words.asksApproval(who) : words.asksApprovalNobody;
}

const factsLine = ({ filename, fileSize, expirationDate }: ActionDetails, language: Language): string =>
  [
    filename,
    formatSize(language, fileSize),
    ...(expirationDate ? [actionWords(language).until(formatDay(language, expirationDate))] : []),
  ].join(' · ');

/** The document itself: a PDF in the browser's own viewer, any other type as a download. */
function documentView(details: ActionDetails, address: string, language: Language): Markup {
  const words = actionWords(language);
  const isPdf = details.mimeType === 'application/pdf';
  return html`<section class="document" aria-label="${words.document}">
${
  isPdf
    ? // A browser without a viewer shows the content of the element instead.
      html`<object class="viewer" type="application/pdf" data="${address}#navpanes=0" aria-label="${details.name}">
${card(words.noViewer, html`<a class="button quiet" href="${address}" target="_blank" rel="noreferrer">${words.openDocument}</a>`)}
</object>
<p class="faint beside"><a href="${address}" target="_blank" rel="noreferrer">${words.openDocument}</a></p>`
    : card(
        words.notShown,
        html`<a class="button quiet" href="${address}" download>${words.downloadDocument}</a>`,
      )
}
</section>`;
}

const card = (text: string, link: Markup): Markup => html`<div class="card file">
<span class="large">${sheet}</span>
<p>${text}</p>
${link}
</div>`;

type Participant = ActionDetails['participants'][number];

const ICONS = { Created: clock, Pending: clock, Completed: check, Refused: cross, NotNeeded: check } as const;

/** All participants with their status. Steps are shown where there are several. */
function participants({ participants: everybody }: ActionDetails, language: Language): Markup {
  const words = actionWords(language);
  const hasSteps = new Set(everybody.map(({ step }) => step)).size > 1;
  return html`<section class="card" aria-labelledby="participants">
<h2 id="participants">${words.participants}</h2>
<ol class="participants">
${everybody.map(
  (one) => html`<li class="${one.status.toLowerCase()}">
<span class="mark">${ICONS[one.status]}</span>
<span><span class="who">${one.name}</span>
<span class="faint">${[statusOf(one, language), ...(hasSteps ? [words.step(one.step)] : [])].join(' · ')}</span></span>
</li>`,
)}
</ol>
</section>`;
}

function statusOf({ kind, status }: Participant, language: Language): string {
  const words = actionWords(language);
  const isSignature = kind === 'signature';
  const texts = {
    Created: words.waits,
    Pending: isSignature ? words.signaturePending : words.approvalPending,
    Completed: isSignature ? words.signed : words.approved,
    Refused: words.refused,
    NotNeeded: words.notNeeded,
  };
  return texts[status];
}
