import { html } from 'hono/html';
import { assetUrl } from '../../../../shared/ui/assets.ts';
import { check, clock, cross, dash } from '../../../../shared/ui/icons.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import { formatSize } from '../../../../shared/ui/numbers.ts';
import { type Markup, page } from '../../../../shared/ui/page.ts';
import type { ReaderMark } from '../../../../shared/ui/reader/document-kind.ts';
import { documentReader } from '../../../../shared/ui/reader/reader.ts';
import { formatDay } from '../../../../shared/ui/time.ts';
import type { WayOptions } from '../../../../shared/ui/ways/way-fields.ts';
import type { ActionDetails } from '../../contract/signing/action-details.ts';
import { livenessOrigin } from '../../domain/electronic/liveness.ts';
import type { AppView } from '../../domain/electronic/set-up-app.ts';
import type { FaceView } from '../../domain/electronic/show-face.ts';
import { branded } from './branded.ts';
import type { ElectronicNotice, Progress } from './electronic-panel.ts';
import { actionPanel } from './panel.ts';
import { actionWords } from './words.ts';

/** The input of the page at an action URL. */
type ActionVisit = {
  readonly details: ActionDetails;
  /** The document as it is shown, by `shownOf`. */
  readonly shown: string;
  readonly key: string;
  readonly ticket: string;
  readonly language: Language;
  /** In a frame: the origins that are told what happens. */
  readonly embedOrigins?: readonly string[];
  readonly ways: Pick<WayOptions, 'offersCloud' | 'offersToken' | 'agentUrl'>;
  /** What is said of a code or an electronic signature that was just asked for. */
  readonly notice?: ElectronicNotice | undefined;
  readonly progress: Progress;
  readonly app?: AppView | undefined;
  readonly face?: FaceView | undefined;
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
  const { branding } = details;
  const body = mainContent(visit, isEmbedded);
  const inLanguage = (other: Language) => `?${new URLSearchParams({ ticket: visit.ticket, lang: other })}`;
  return page({
    title: titleOf(details, language),
    preview: previewOf(details, language),
    language,
    styles: [
      assetUrl(ROOT, 'common.css'),
      assetUrl(ROOT, 'reader.css'),
      assetUrl(ROOT, 'ways.css'),
      assetUrl(ROOT, 'documents-action.css'),
    ],
    scripts: [assetUrl(ROOT, 'documents-action.js')],
    hasReader: true,
    ...(details.action.electronic && {
      formAction: visit.face ? `'self' ${livenessOrigin()}` : "'self'",
    }),
    ...branded(body, { language, inLanguage, branding, isEmbedded }),
    ...policy,
  });
}

/** The action and the document: a tab or a message with the name alone does not say what is asked. */
function titleOf({ name, action }: ActionDetails, language: Language): string {
  const words = actionWords(language);
  if (!action.canAct) return words.titleOfDocument(name);
  return action.kind === 'signature' ? words.titleToSign(name) : words.titleToApprove(name);
}

function previewOf({ action }: ActionDetails, language: Language) {
  const words = actionWords(language);
  const title = !action.canAct
    ? words.document
    : action.kind === 'signature'
      ? words.asksSignatureNobody
      : words.asksApprovalNobody;
  return { title, description: words.previewText };
}

function mainContent(visit: ActionVisit, isEmbedded: boolean): Markup {
  const { details, language, ticket, ways } = visit;
  const ownWindow = isEmbedded ? `action?${new URLSearchParams({ ticket, lang: language })}` : undefined;
  const address = contentOf(visit);
  return html`<main data-api="${apiOf(visit)}" data-document="${details.id}" data-outcome="${outcomeOf(details)}" data-embed-origins="${visit.embedOrigins?.join(' ')}" data-ticket="${ticket}" data-action="${details.action.id}" data-content="${address}" data-open="${String(details.action.canAct)}" data-shown="${visit.shown}">
<div class="intro">
<p class="faint">${requestLine(details, language)}</p>
<h1>${details.name}</h1>
<p class="faint">${factsLine(details, language)}</p>
${details.description && html`<p class="description">${details.description}</p>`}
${partsOf(details, language)}
</div>
<div class="columns">
${documentReader({ root: ROOT, address, name: details.filename, mimeType: details.mimeType, bytes: details.fileSize, language, marks: marksOf(details, language), isAsked: details.action.canAct })}
<div class="aside">
${actionPanel(details, { content: address, verification: `${ROOT}/verification` }, { language, ownWindow, ...ways, electronic: { ticket, isEmbedded, shown: visit.shown, notice: visit.notice, progress: visit.progress, app: visit.app, face: visit.face } })}
${participants(details, language)}
</div>
</div>
</main>`;
}

/** The files of an envelope, with the pages on which each of them is. */
function partsOf({ parts }: ActionDetails, language: Language): Markup | '' {
  if (parts.length === 0) return '';
  const words = actionWords(language);
  return html`<details class="parts" open>
<summary>${words.parts(parts.length)}</summary>
<ol>
${parts.map(
  ({ name, startPage, pages }) =>
    html`<li><a href="#page-${startPage}">${name}</a> <span class="faint">${pages === 1 ? words.onPage(startPage) : words.onPages(startPage, startPage + pages - 1)}</span></li>`,
)}
</ol>
</details>`;
}

/** The places of the flow, and what is done there. */
function marksOf({ marks }: ActionDetails, language: Language): ReaderMark[] {
  const words = actionWords(language);
  const yours = { signature: words.signHere, approval: words.approvedHere };
  return marks.map(({ name, kind, isYours, origin, type: _, ...place }) => ({
    ...place,
    ...(origin && { isFromTop: true }),
    label: isYours ? yours[kind] : name,
    yours: isYours ? kind : null,
  }));
}

/** What the person did, for a page that shows this one in a frame; empty while it is to be done, or is not theirs. */
function outcomeOf({ action }: ActionDetails): string {
  if (action.status === 'Refused') return 'refused';
  if (action.status !== 'Completed') return '';
  return action.kind === 'signature' ? 'signed' : 'approved';
}

function requestLine({ organizationName, branding, action }: ActionDetails, language: Language): string {
  const who = branding?.displayName ?? organizationName;
  const words = actionWords(language);
  if (!action.canAct) return who ?? '';
  if (action.kind === 'signature') return who ? words.asksSignature(who) : words.asksSignatureNobody;
  return who ? words.asksApproval(who) : words.asksApprovalNobody;
}

const factsLine = ({ filename, fileSize, expirationDate }: ActionDetails, language: Language): string =>
  [
    filename,
    formatSize(language, fileSize),
    ...(expirationDate ? [actionWords(language).until(formatDay(language, Date.parse(expirationDate)))] : []),
  ].join(' · ');

type Participant = ActionDetails['participants'][number];

const ICONS = { Created: clock, Pending: clock, Completed: check, Refused: cross, NotNeeded: dash } as const;

/** All participants with their status. Steps are shown where there are several, and a rule's people together. */
function participants({ participants: everybody }: ActionDetails, language: Language): Markup {
  const words = actionWords(language);
  const hasSteps = new Set(everybody.map(({ step }) => step)).size > 1;
  return html`<section class="card" aria-labelledby="participants">
<h2 id="participants">${words.participants}</h2>
<ol class="participants">
${groupsOf(everybody).map(({ rule, people }) => {
  const entries = people.map((one) => participant(one, hasSteps, language));
  const enough = rule && words.enough(rule.required, people.length);
  return rule
    ? html`<li class="rule"><span class="faint">${[...(rule.name ? [rule.name] : []), enough].join(': ')}</span>
<ol class="participants">
${entries}
</ol></li>`
    : entries;
})}
</ol>
</section>`;
}

/** The people of one rule together, in the order of the flow; anybody else alone. */
function groupsOf(everybody: readonly Participant[]) {
  const groups: { readonly rule: Participant['rule']; readonly people: Participant[] }[] = [];
  for (const one of everybody) {
    const last = groups.at(-1);
    if (one.rule && last?.rule?.id === one.rule.id) last.people.push(one);
    else groups.push({ rule: one.rule, people: [one] });
  }
  return groups;
}

function participant(one: Participant, hasSteps: boolean, language: Language): Markup {
  const words = actionWords(language);
  const step = hasSteps ? [words.step(one.step)] : [];
  const holder = one.certificateHolderName;
  const by = holder === null ? [] : [words.withCertificateOf(holder)];
  return html`<li class="person ${one.status.toLowerCase()}">
<span class="mark">${ICONS[one.status]}</span>
<span><span class="who">${one.name}</span>
<span class="faint">${[statusOf(one, language), ...by, ...step].join(' · ')}</span></span>
</li>`;
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
