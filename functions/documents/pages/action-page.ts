import { html } from 'hono/html';
import type * as z from 'zod';
import { assetUrl } from '../../../shared/ui/assets.ts';
import { renderFrame } from '../../../shared/ui/frame.ts';
import type { Language } from '../../../shared/ui/languages.ts';
import { type Markup, page } from '../../../shared/ui/page.ts';
import type { ActionDetails } from '../contract/signing.ts';
import { actionPanel } from './action-panel.ts';
import { actionWords } from './action-words.ts';
import { documentView } from './document-view.ts';
import { participants } from './participants.ts';
import { dayIn, sizeIn } from './shown-values.ts';

export type Details = z.output<typeof ActionDetails>;

/** What a page at an action URL is made of. */
export type Visit = {
  readonly details: Details;
  readonly key: string;
  readonly ticket: string;
  readonly language: Language;
};

// The page is at /document/key/{key}/action. Its addresses are relative, so that it works under any stage prefix.
export const ROOT = '../../..';
const apiOf = ({ key }: Visit): string => `${ROOT}/api/documents/keys/${encodeURIComponent(key)}`;
const contentOf = (visit: Visit): string =>
  `${apiOf(visit)}/content?ticket=${encodeURIComponent(visit.ticket)}`;

type Frame = { readonly isEmbedded: boolean; readonly frameAncestors?: string };

/** The page at which a person reads a document and signs, approves or refuses it. */
export function actionPage(visit: Visit, { isEmbedded, ...policy }: Frame) {
  const { language, details } = visit;
  const body = content(visit);
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

function content(visit: Visit): Markup {
  const { details, language, ticket } = visit;
  const address = contentOf(visit);
  return html`<main data-api="${apiOf(visit)}" data-ticket="${ticket}" data-action="${details.action.id}" data-content="${address}" data-open="${String(details.action.canAct)}">
<div class="intro">
<p class="faint">${asks(details, language)}</p>
<h1>${details.name}</h1>
<p class="faint">${about(details, language)}</p>
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

function asks({ organizationName: who, action }: Details, language: Language): string {
  const words = actionWords(language);
  if (!action.canAct) return who ?? '';
  if (action.kind === 'signature') return who ? words.asksSignature(who) : words.asksSignatureNobody;
  return who ? words.asksApproval(who) : words.asksApprovalNobody;
}

const about = ({ filename, fileSize, expirationDate }: Details, language: Language): string =>
  [
    filename,
    sizeIn(language, fileSize),
    ...(expirationDate ? [actionWords(language).until(dayIn(language, expirationDate))] : []),
  ].join(' · ');
