import { html } from 'hono/html';
import { basePathOf } from '../../../../../shared/access/return-path.ts';
import type { Answer } from '../../../../../shared/http/response/answer.ts';
import type { Stored } from '../../../../../shared/store/collection.ts';
import { MAX_MARKS } from '../../../contract/flows/flow-actions.ts';
import type { Draft } from '../../../domain/drafts/draft.ts';
import { actionsOf } from '../../../domain/drafts/draft-request.ts';
import { kindOf } from '../../../domain/flow/flow.ts';
import { givenMarkOf, placingArea } from '../../../pages/marks/area.ts';
import { marksPageWords } from '../../../pages/marks/words.ts';
import type { PlacingData } from '../../../pages/placing-data.ts';
import { besidePath, consolePath, draftPath } from '../../pages/frame.ts';
import { memberPage } from '../../pages/member-page.ts';
import type { Visit } from '../../visit.ts';
import { sendWords } from './words.ts';

/** The page that places the marks of a draft. They are saved as they are placed. */
export function draftMarksPage(visit: Visit, draft: Stored<Draft>): Promise<Answer> {
  const { language } = visit;
  const [words, own] = [marksPageWords(language), sendWords(language)];
  const path = draftPath(draft);
  const isReady = draft.files.length > 0 && actionsOf(draft).length > 0;
  return memberPage(visit, {
    title: words.title,
    current: draft.template ? 'templates' : 'send',
    styles: ['reader.css', 'documents-placing.css'],
    scripts: ['documents-place.js'],
    hasReader: true,
    body: html`<h1>${words.title}</h1>
<p class="faint">${words.intro}</p>
${
  isReady
    ? html`<div id="draft-marks" data-version="${draft.version}" data-changes="${besidePath(`drafts/${draft.id}/changes`)}">${placingArea(basePathOf('documents'), dataOf(draft), language)}</div>
<div class="problem" role="alert" tabindex="-1" hidden></div>
<p class="faint" role="status" id="saving"></p>`
    : html`<p class="note">${draft.template ? own.needsExample : own.needsFiles}</p>`
}
<div class="actions">
<a class="button quiet" href="${consolePath(path)}">${own.goBack}</a>
${draft.template ? '' : html`<a class="button" href="${consolePath(`${path}/review`)}">${own.review}</a>`}
</div>`,
  });
}

function dataOf(draft: Draft): PlacingData {
  const actions = actionsOf(draft);
  return {
    files: draft.files.map(({ id, title, contentType, size }) => ({
      id,
      name: title,
      address: besidePath(`contents/drafts/${draft.id}/${id}`),
      mimeType: contentType,
      bytes: size,
    })),
    actions: actions.map(({ type, group, people }) => ({
      name: group || (people[0]?.name ?? ''),
      kind: kindOf({ type }),
      hasInitials: false,
    })),
    marks: draft.marks.flatMap(({ actionKey, ...mark }) => {
      const action = actions.findIndex(({ key }) => key === actionKey);
      return action < 0 ? [] : [givenMarkOf(mark, action)];
    }),
    maxMarks: MAX_MARKS,
  };
}
