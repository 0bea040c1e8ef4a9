import { html } from 'hono/html';
import type { Refusal } from '../../../../../shared/errors/errors.ts';
import type { Answer } from '../../../../../shared/http/response/answer.ts';
import type { Stored } from '../../../../../shared/store/collection.ts';
import { formatSize } from '../../../../../shared/ui/numbers.ts';
import type { Markup } from '../../../../../shared/ui/page.ts';
import { confirmed, givenText, textArea, textField } from '../../../../../shared/ui/parts.ts';
import type { Draft } from '../../../domain/drafts/draft.ts';
import type { KnownPerson } from '../../../domain/drafts/recent-people.ts';
import type { TemplateProblem } from '../../../domain/templates/edit-template.ts';
import { besidePath, consolePath, draftPath } from '../../pages/frame.ts';
import { memberPage } from '../../pages/member-page.ts';
import { refusalText } from '../../pages/refusals.ts';
import type { Visit } from '../../visit.ts';
import { flowPicture } from '../send/flow-picture.ts';
import { languageField } from '../send/language-field.ts';
import { peopleFields } from '../send/people-fields.ts';
import { problemText } from '../send/review-page.ts';
import { type UploadWays, uploadForm } from '../send/upload-form.ts';
import { templateWords } from './words.ts';

/** What keeps the template from being saved. */
export type EditNews = {
  readonly problems?: readonly TemplateProblem[];
  /** The version that somebody else has saved meanwhile. */
  readonly newest?: number;
  readonly refused?: Refusal | undefined;
};

type EditView = EditNews & { readonly known: readonly KnownPerson[]; readonly ways: UploadWays };

/** The page that edits a template: its roles, its marks on an example of the file, and the details. */
export function editPage(
  visit: Visit,
  draft: Stored<Draft>,
  template: Extract<Draft['template'], { kind: 'edit' }>,
  { known, ways, ...news }: EditView,
): Promise<Answer> {
  const { language } = visit;
  const words = templateWords(language);
  const path = draftPath(draft);
  const { problems = [], newest, refused } = news;
  const isWrong = problems.length > 0 || newest !== undefined || refused !== undefined;
  return memberPage(visit, {
    title: words.editTitle,
    current: 'templates',
    status: isWrong ? (refused?.status ?? 422) : 200,
    address: consolePath(path),
    styles: ['documents-send.css'],
    scripts: ['documents-send.js'],
    connectsTo: ways.storeOrigin ? [ways.storeOrigin] : [],
    done: { saved: words.savedDraft },
    body: html`<h1>${words.editTitle}</h1>
<form class="stack" method="post" id="draft" action="${consolePath(`${path}/save`)}" data-changes="${besidePath(`drafts/${draft.id}/changes`)}">
<button class="visually-hidden" name="do" value="save" tabindex="-1" aria-hidden="true">${words.saveDraft}</button>
<input type="hidden" name="version" id="version" value="${draft.version}">
<div id="conflict">${isWrong ? newsBox(visit, template.id, news) : ''}</div>
<section class="card stack" aria-labelledby="details-title">
<h2 id="details-title">${words.name}</h2>
${textField({ id: 'templateName', label: words.templateName, value: template.name, attributes: html` maxlength="200"` })}
<div class="row">
${textField({ id: 'templateDocumentName', label: words.documentName, value: template.documentName, hint: words.documentNameHint, attributes: html` maxlength="255"` })}
${textField({ id: 'templateDays', label: words.daysLabel, value: template.days, hint: words.daysHint, attributes: html` type="number" min="1" max="3650" inputmode="numeric"` })}
${languageField(language, draft.language)}
</div>
${textArea({ id: 'message', label: words.message, value: draft.message, hint: words.messageHint, attributes: html` rows="3" maxlength="2000"` })}
</section>
${peopleFields(draft, known, language)}
${draft.people.length === 0 ? '' : flowPicture(draft, language)}
${exampleOf(visit, draft)}
<p class="faint" role="status" id="saving"></p>
<div class="actions">
<button class="button quiet" name="do" value="marks">${words.placeMarks}</button>
<button class="button" name="do" value="store">${words.save}</button>
<button class="button quiet" name="do" value="save" id="save">${words.saveDraft}</button>
</div>
</form>
<section class="stack" aria-labelledby="example-title">
<h2 id="example-title">${words.example}</h2>
<p class="faint">${words.exampleHint}</p>
${uploadForm(visit, draft.id, ways, consolePath('templates/drafts'))}
</section>
${confirmed({
  id: 'delete-draft',
  summary: words.deleteDraft,
  explanation: words.deleteDraftExplained,
  button: words.deleteDraft,
  action: consolePath(`${path}/delete`),
})}`,
  });
}

function newsBox(
  { language }: Visit,
  id: string | null,
  { problems = [], newest, refused }: EditNews,
): Markup {
  const words = templateWords(language);
  if (newest !== undefined)
    return html`<div class="problem" role="alert"><p>${words.conflict(newest)}</p>
<p><a href="${consolePath(`templates/${id}`)}" target="_blank">${words.seeOther}</a></p>
<p><button class="button quiet" name="do" value="replace:${newest}">${words.keepMine}</button></p></div>`;
  if (refused)
    return html`<div class="problem" role="alert"><p>${refused.code === 'DraftChanged' ? words.draftChanged : refusalText(refused, language)}</p></div>`;
  const textOf = (problem: TemplateProblem): Markup | string => {
    switch (problem.code) {
      case 'noTemplateName':
      case 'wrongTemplateName':
      case 'wrongDocumentName':
      case 'wrongDays':
        return words[problem.code];
      default:
        return problemText(problem, language);
    }
  };
  return html`<div class="problem" role="alert"><p>${words.missing}</p><ul>${problems.map((problem) => html`<li>${textOf(problem)}</li>`)}</ul></div>`;
}

const exampleOf = ({ language }: Visit, { files }: Draft): Markup | '' => {
  const words = templateWords(language);
  return files.length === 0
    ? ''
    : html`<p id="files">${words.example}: ${files.map(({ id, name, size }) => html`${givenText(name)} <span class="faint">${formatSize(language, size)}</span> <button class="link" name="do" value="remove-file:${id}">${words.removeFile} <span class="visually-hidden">${givenText(name)}</span></button>`)}</p>`;
};
