import { html } from 'hono/html';
import type { Refusal } from '../../../../../shared/errors/errors.ts';
import type { Language } from '../../../../../shared/ui/languages.ts';
import type { Markup } from '../../../../../shared/ui/page.ts';
import { formatCount } from '../../../config/page-format.ts';
import { errors } from '../../../errors.ts';
import type { Job } from '../../../jobs/domain/job/job.ts';
import { dashboardPath } from '../../pages/frame.ts';
import { problemBox } from '../../pages/parts.ts';
import type { Filters } from './filters.ts';
import { listWords } from './list-words.ts';

/** The jobs that an operator has selected, where their download was not given at once. */
export type Selection = {
  readonly ids: readonly string[];
  readonly refusal?: Refusal;
  /** Some have no signed file. `href` is the download of the others. */
  readonly files?: {
    readonly withFile: readonly Job[];
    readonly withoutFile: readonly Job[];
    readonly href: string;
  };
};

// The live part of the list has forms of its own, and a form cannot be in another: checkboxes name this one.
export const SELECTION_FORM = 'selection';

type SelectionView = {
  readonly language: Language;
  readonly filters: Filters;
  /** The ids of the jobs on this page of the list, whose boxes are in it. */
  readonly listed: readonly string[];
  readonly selection: Selection | undefined;
};

/** The downloads of selected jobs. It also sends the filters: an answer that is no download shows the same list. */
export function selectionForm({ language, filters, listed, selection }: SelectionView): Markup {
  const words = listWords(language);
  const kept = (selection?.ids ?? []).filter((id) => !listed.includes(id));
  const hidden = (name: string, value: string): Markup =>
    html`<input type="hidden" name="${name}" value="${value}">`;
  return html`<form class="card selection" id="${SELECTION_FORM}" method="get">
${[...filters.query].map(([name, value]) => hidden(name, value))}
${filters.page > 1 ? hidden('page', String(filters.page)) : ''}
${kept.map((id) => html`<input type="hidden" name="id" value="${id}" data-kept>`)}
<p class="faint" id="selection-hint">${words.selectionHint}</p>
<div class="actions" aria-describedby="selection-hint">
<label class="select-page" hidden><input type="checkbox" data-select-all="jobs"> ${words.selectPage}</label>
<p class="selected-count" hidden>${words.selected} <output data-selected-count="${SELECTION_FORM}">0</output></p>
<button class="button quiet" formaction="${dashboardPath('jobs/selected/files')}">${words.selectedFiles}</button>
<button class="button quiet" formaction="${dashboardPath('jobs/selected/workbook')}">${words.selectedWorkbook}</button>
</div>
</form>`;
}

// A sentence holds some names; the list below has the state of every job.
const MAX_NAMED = 5;

/** Why the selected jobs were not downloaded at once, and the download of those that can be. */
export function selectionNotice(language: Language, { refusal, files }: Selection): Markup | '' {
  if (refusal) return problemBox(errors.text(refusal.code, language) ?? refusal.message, refusal.code);
  if (!files) return '';
  const words = listWords(language);
  const { withFile, withoutFile, href } = files;
  const countOf = (list: readonly Job[]): string => formatCount(language, list.length);
  const named = withoutFile.slice(0, MAX_NAMED).map(({ fileName }) => html`<li><bdi>${fileName}</bdi></li>`);
  const others = withoutFile.length - named.length;
  return html`<div class="warning stack" id="without-file" role="alert">
<p><strong>${words.withoutFile(countOf(withoutFile), withoutFile.length === 1)}</strong></p>
<ul>${named}${others > 0 ? html`<li>${words.andOthers(formatCount(language, others))}</li>` : ''}</ul>
${
  withFile.length === 0
    ? html`<p>${words.noFiles}</p>`
    : html`<p><a class="button" href="${href}" download>${words.otherFiles(countOf(withFile), withFile.length === 1)}</a></p>`
}</div>`;
}
