import { html } from 'hono/html';
import type { Answer } from '../../../../../shared/http/response/answer.ts';
import type { Stored } from '../../../../../shared/store/collection.ts';
import { formatSize } from '../../../../../shared/ui/numbers.ts';
import type { Markup } from '../../../../../shared/ui/page.ts';
import { confirmed, givenText, selectField, textArea, textField } from '../../../../../shared/ui/parts.ts';
import { dayOf } from '../../../domain/calendar.ts';
import type { Draft } from '../../../domain/drafts/draft.ts';
import type { KnownPerson } from '../../../domain/drafts/recent-people.ts';
import { besidePath, consolePath } from '../../pages/frame.ts';
import { memberPage } from '../../pages/member-page.ts';
import type { Visit } from '../../visit.ts';
import { flowPicture } from './flow-picture.ts';
import { languageField } from './language-field.ts';
import { peopleFields } from './people-fields.ts';
import { type UploadWays, uploadForm } from './upload-form.ts';
import { sendWords } from './words.ts';

type DraftView = {
  readonly draft: Stored<Draft>;
  readonly known: readonly KnownPerson[];
  readonly folders: readonly { readonly id: string; readonly name: string }[];
  readonly ways: UploadWays;
  /** Who saved another version meanwhile. The draft is what this member typed, with the version of theirs. */
  readonly changedBy?: string;
  readonly status?: number;
};

/** The page of a draft: files, people and details in one form, which is saved as a whole. */
export function draftPage(visit: Visit, view: DraftView): Promise<Answer> {
  const { language, nowMs } = visit;
  const { draft, known, folders, ways, changedBy, status = 200 } = view;
  const words = sendWords(language);
  const path = `send/${draft.id}`;
  const today = dayOf(nowMs);
  return memberPage(visit, {
    title: words.title,
    current: 'send',
    status,
    address: consolePath(path),
    styles: ['documents-send.css'],
    scripts: ['documents-send.js'],
    connectsTo: ways.storeOrigin ? [ways.storeOrigin] : [],
    done: { saved: words.saved },
    body: html`<h1>${words.title}</h1>
<p class="faint">${words.intro}</p>
${uploadForm(visit, draft.id, ways)}
<form class="stack" method="post" id="draft" action="${consolePath(`${path}/save`)}" data-changes="${besidePath(`drafts/${draft.id}/changes`)}">
<button class="visually-hidden" name="do" value="save" tabindex="-1" aria-hidden="true">${words.save}</button>
<input type="hidden" name="version" id="version" value="${draft.version}">
<div id="conflict">${changedBy === undefined ? '' : conflictBox(visit, path, changedBy)}</div>
${fileFields(visit, draft)}
${peopleFields(draft, known, language)}
<section class="card stack" aria-labelledby="details-title">
<h2 id="details-title">${words.details}</h2>
<div class="row">
${selectField({ id: 'folderId', label: words.folder, value: draft.folderId, choices: [{ value: '', text: words.noFolder }, ...folders.map(({ id, name }) => ({ value: id, text: name }))] })}
${textField({ id: 'deadline', label: words.deadline, value: draft.deadline, hint: words.deadlineHint, attributes: html` type="date" min="${today}"` })}
${languageField(language, draft.language)}
</div>
${textArea({ id: 'message', label: words.message, value: draft.message, hint: words.messageHint, attributes: html` rows="3" maxlength="2000"` })}
</section>
${draft.people.length === 0 ? '' : flowPicture(draft, language)}
<p class="faint" role="status" id="saving"></p>
<div class="actions">
<button class="button quiet" name="do" value="marks">${words.placeMarks}</button>
<button class="button" name="do" value="review">${words.review}</button>
<button class="button quiet" name="do" value="save" id="save">${words.save}</button>
</div>
</form>
${confirmed({
  id: 'delete-draft',
  summary: words.deleteDraft,
  explanation: words.deleteExplained,
  button: words.deleteDraft,
  action: consolePath(`${path}/delete`),
})}`,
  });
}

const conflictBox = ({ language }: Visit, path: string, who: string): Markup => {
  const words = sendWords(language);
  return html`<div class="problem" role="alert"><p>${words.conflict(who)}</p>
<p><a href="${consolePath(path)}" target="_blank">${words.seeOther}</a></p>
<p><button class="button quiet" name="do" value="save">${words.keepsMine}</button></p></div>`;
};

function fileFields({ language }: Visit, { files }: Draft): Markup {
  const words = sendWords(language);
  if (files.length === 0) return html`<p class="faint" id="files">${words.noFiles}</p>`;
  return html`<section class="card stack" id="files" aria-labelledby="files-title">
<h2 id="files-title">${words.files}</h2>
<ol class="draft-files">${files.map(
    ({ id, title, name, size }, at) => html`<li>
<input type="hidden" name="fileId" value="${id}">
${textField({ id: `title-${id}`, name: 'fileTitle', label: words.fileTitle, value: title, hint: `${name}, ${formatSize(language, size)}`, attributes: html` maxlength="255"` })}
<span class="actions">
${at === 0 ? '' : html`<button class="link" name="do" value="raise-file:${id}">${words.up} <span class="visually-hidden">${givenText(title)}</span></button>`}
<button class="link" name="do" value="remove-file:${id}">${words.remove} <span class="visually-hidden">${givenText(title)}</span></button>
</span></li>`,
  )}</ol>
</section>`;
}
