import { html } from 'hono/html';
import { basePathOf } from '../../../../../shared/access/return-path.ts';
import type { Refusal } from '../../../../../shared/errors/errors.ts';
import type { Answer } from '../../../../../shared/http/response/answer.ts';
import type { Markup } from '../../../../../shared/ui/page.ts';
import {
  badge,
  confirmed,
  factList,
  givenText,
  selectField,
  textField,
} from '../../../../../shared/ui/parts.ts';
import { documentReader } from '../../../../../shared/ui/reader/reader.ts';
import { formatDay, formatTime } from '../../../../../shared/ui/time.ts';
import { timeOf } from '../../../../../shared/ui/time-element.ts';
import { CONTENT_TYPES } from '../../../contract/downloads.ts';
import { sendsMail } from '../../../domain/document/mail-announcement.ts';
import { formatCode } from '../../../domain/document/verification-code.ts';
import { readDocument } from '../../../domain/links/read-document.ts';
import { readFolderTree } from '../../../domain/lists/folder-tree.ts';
import { mayDo } from '../../../domain/members/permissions.ts';
import { besidePath, consolePath } from '../../pages/frame.ts';
import { memberPage } from '../../pages/member-page.ts';
import { refusalText } from '../../pages/refusals.ts';
import type { Visit } from '../../visit.ts';
import { languageFact } from '../send/language-field.ts';
import { documentPeople } from './document-people.ts';
import { documentWords } from './document-words.ts';
import { historyOf, type ReadDocument } from './history.ts';
import { TONES } from './list-page.ts';
import { listWords, stateWords } from './words.ts';

type DocumentNews = {
  readonly refused?: Refusal | undefined;
  /** The link of a person that was asked for. It is shown once. */
  readonly link?: { readonly url: string; readonly who: string };
};

/** A document for whoever sent it: the file, the people, the history, and what can be done. */
export async function documentPage(visit: Visit, id: string, news: DocumentNews = {}): Promise<Answer> {
  const { language, caller, nowMs } = visit;
  const [words, states] = [documentWords(language), stateWords(language)];
  const document = await readDocument(caller, id, nowMs);
  const { refused, link } = news;
  return memberPage(visit, {
    title: document.name,
    current: 'documents',
    address: consolePath(`documents/${id}`),
    status: refused?.status ?? 200,
    styles: ['reader.css', 'documents-following.css'],
    scripts: ['documents-document.js'],
    hasReader: true,
    done: {
      ...{ sent: words.sent, reminded: words.reminded, canceled: words.canceled },
      ...{ moved: words.moved, replaced: words.replaced },
      ...{ invitedNow: words.invitedNow, invitedLater: words.invitedLater, notInvited: words.notInvited },
      unchanged: words.unchanged,
    },
    body: html`<h1>${givenText(document.name)}</h1>
${refused ? html`<div class="problem" role="alert"><p>${problemText(refused, visit)}</p></div>` : ''}
${link ? linkBox(visit, link) : ''}
<section class="card" id="facts" data-live="5" data-address="${consolePath(`documents/${id}`)}">
<p>${badge(states[document.status], TONES[document.status])}</p>
${factList([
  [words.sentBy, givenText(document.createdBy.name)],
  [words.created, timeOf(language, Date.parse(document.creationDate))],
  [words.deadline, document.expirationDate ? formatDay(language, Date.parse(document.expirationDate)) : ''],
  languageFact(language, document.language),
  [words.folder, document.folder ? givenText(document.folder.name) : ''],
  [words.code, formatCode(document.key)],
  [words.reason, document.statusUpdateReason ? givenText(document.statusUpdateReason) : ''],
  [words.message, document.description ? givenText(document.description) : ''],
])}
</section>
<div class="document-columns">
${documentReader({ root: basePathOf('documents'), address: besidePath(`contents/documents/${id}/file`), name: document.filename, mimeType: document.mimeType, bytes: document.fileSize, language })}
<div class="document-side">
${documentPeople(visit, document)}
${filesPart(visit, document)}
${historyPart(visit, document)}
${await doingPart(visit, document)}
</div>
</div>`,
  });
}

/** Nobody is reminded twice within an hour: the page says when the next message may go. */
function problemText(refused: Refusal, { language, nowMs }: Visit): string {
  const seconds = refused.details?.retryAfterSeconds;
  if (refused.code !== 'TooManyRequests' || typeof seconds !== 'number')
    return refusalText(refused, language);
  return documentWords(language).remindedAlready(formatTime(language, nowMs + seconds * 1000));
}

const linkBox = (
  { language }: Visit,
  { url, who }: { readonly url: string; readonly who: string },
): Markup => {
  const words = documentWords(language);
  return html`<div class="note link-box" role="status"><p><strong>${words.linkFor(who)}</strong></p>
<p><a href="${url}" rel="noreferrer">${url}</a></p><p class="faint">${words.linkHint}</p></div>`;
};

function filesPart({ language }: Visit, document: ReadDocument): Markup {
  const words = documentWords(language);
  const { id, attachments, hasSignature } = document;
  const isOpen = ['Pending', 'FlowConcluded', 'Concluded'].includes(document.status);
  const isThere = (type: (typeof CONTENT_TYPES)[number]): boolean =>
    type === 'Original' ||
    type === 'PrinterFriendlyVersion' ||
    (isOpen &&
      (type === 'Signatures'
        ? hasSignature
        : type !== 'OriginalWithMarks' || document.mimeType === 'application/pdf'));
  return html`<section class="card stack" aria-labelledby="files-title" id="files" data-live-along>
<h2 id="files-title">${words.files}</h2>
<ul class="plain">${CONTENT_TYPES.filter(isThere).map(
    (type) =>
      html`<li><a href="${besidePath(`contents/documents/${id}/types/${type}`)}" download>${words[type]}</a></li>`,
  )}${attachments.map(
    (attachment) =>
      html`<li><a href="${besidePath(`contents/documents/${id}/attachments/${attachment.id}`)}" download>${givenText(attachment.displayName)}</a></li>`,
  )}</ul>
${hasSignature && isOpen ? html`<p><a class="button quiet" href="${consolePath(`documents/${id}/signatures`)}">${words.verify}</a></p>` : ''}
</section>`;
}

const historyPart = ({ language }: Visit, document: ReadDocument): Markup => {
  const words = documentWords(language);
  return html`<section class="card stack" aria-labelledby="history-title" id="history" data-live-along>
<h2 id="history-title">${words.history}</h2>
<ol class="history">${historyOf(document, language).map(
    ({ atMs, text }) =>
      html`<li>${givenText(text)}<br><span class="faint">${timeOf(language, atMs)}</span></li>`,
  )}</ol>
</section>`;
};

async function doingPart(visit: Visit, document: ReadDocument): Promise<Markup | ''> {
  const { id, status, folder } = document;
  const { language, member, caller } = visit;
  const [words, list] = [documentWords(language), listWords(language)];
  const path = (name: string): string => consolePath(`documents/${id}/${name}`);
  const isOpen = status === 'Pending' || status === 'Refused';
  if (!mayDo(member.role, 'documents.change')) return '';
  const folders = await readFolderTree(caller);
  const choices = [
    { value: '', text: list.noFolder },
    ...folders.map(({ id: value, name, depth }) => ({ value, text: `${'\u2003'.repeat(depth)}${name}` })),
  ];
  return html`<section class="card stack" aria-labelledby="doing-title">
<h2 id="doing-title">${words.doing}</h2>
<form class="row" method="post" action="${path('move')}">${selectField({ id: 'to', label: list.moveTo, value: folder?.id ?? '', choices })}<button class="button quiet">${words.move}</button></form>
${isOpen ? versionForm(visit, id) : ''}
${
  isOpen
    ? confirmed({
        id: 'cancel',
        summary: words.cancel,
        explanation: `${words.cancelExplained} ${sendsMail(visit.organization) && !document.disableNotifications ? words.cancelIsTold : words.cancelIsNotTold}`,
        button: words.cancel,
        action: path('cancel'),
        fields: textField({ id: 'reason', label: words.reason, attributes: html` maxlength="512" required` }),
      })
    : ''
}
${
  mayDo(member.role, 'documents.delete')
    ? confirmed({
        id: 'delete',
        summary: words.remove,
        explanation: words.removeExplained,
        button: words.remove,
        action: path('delete'),
      })
    : ''
}
</section>`;
}

const versionForm = ({ language }: Visit, id: string): Markup => {
  const words = documentWords(language);
  return html`<details class="confirmed"><summary class="button quiet">${words.newVersion}</summary>
<form class="stack" method="post" enctype="multipart/form-data" action="${besidePath(`drafts/versions/${id}`)}">
<p>${words.versionExplained}</p>
<div class="field"><label for="version-file">${words.file}</label><input id="version-file" type="file" name="file" required></div>
<button class="button">${words.newVersion}</button>
</form></details>`;
};
