import { html } from 'hono/html';
import type { Answer } from '../../../../../shared/http/response/answer.ts';
import type { Language } from '../../../../../shared/ui/languages.ts';
import type { Markup } from '../../../../../shared/ui/page.ts';
import { type Column, renderTable } from '../../../../../shared/ui/table.ts';
import { basePath } from '../../../auth/domain/return-path.ts';
import { formatCount, timeOf } from '../../../config/page-format.ts';
import { BULK_KINDS, type BulkKind } from '../../../jobs/domain/bulk/bulk.ts';
import { BULK_STATES } from '../../../jobs/domain/bulk/start-bulk.ts';
import type { Job } from '../../../jobs/domain/job/job.ts';
import type { JobPage } from '../../../jobs/domain/list-jobs.ts';
import { dashboardPath } from '../../pages/frame.ts';
import { operatorPage } from '../../pages/operator-page.ts';
import { pager } from '../../pages/parts.ts';
import type { Visit } from '../../visit.ts';
import { bulkLinkWords, bulkWords } from './bulk-words.ts';
import { filterForm } from './filter-form.ts';
import { apiQuery, type Filters } from './filters.ts';
import { listWords } from './list-words.ts';
import { SELECTION_FORM, type Selection, selectionForm, selectionNotice } from './selection.ts';
import { jobErrorText, sourceWords, stateBadge } from './state-words.ts';

export const PAGE_SIZE = 50;

type Words = ReturnType<typeof listWords>;

export type ListView = {
  readonly filters: Filters;
  /** None where a filter is not acceptable. */
  readonly found: JobPage | undefined;
  /** The names of the profiles, to choose from. */
  readonly profiles: readonly string[];
  /** Where a download of selected jobs led to the list again. */
  readonly selection?: Selection;
};

/** The list of jobs. Filters are in its address; the list itself is kept up to date. */
export function listPage(visit: Visit, view: ListView): Promise<Answer> {
  const words = listWords(visit.language);
  return operatorPage(visit, {
    title: words.title,
    current: 'jobs',
    status: view.found ? (view.selection?.refusal?.status ?? 200) : 400,
    done: { deleted: words.deleted },
    body: html`<div class="list-head"><h1>${words.title}</h1>
<a class="button" href="${dashboardPath('upload')}">${words.upload}</a></div>
${view.selection ? selectionNotice(visit.language, view.selection) : ''}
${filterForm({ language: visit.language, filters: view.filters, profiles: view.profiles })}
${view.found ? list(visit, view, view.found, words) : ''}`,
  });
}

function list(visit: Visit, view: ListView, { items, totalCount }: JobPage, words: Words): Markup {
  const { language } = visit;
  const { filters, selection } = view;
  const { page, query } = filters;
  const selected = new Set(selection?.ids);
  const listed = items.map(({ id }) => id);
  const empty = totalCount > 0 ? words.pageEmpty : query.size > 0 ? words.noneFound : words.none;
  return html`${totalCount > 0 ? selectionForm({ language, filters, listed, selection }) : ''}
<div class="stack" id="jobs" data-live="3" data-address="${listPath(filters)}">
<div class="list-count"><p role="status">${words.found(formatCount(language, totalCount), totalCount === 1)}</p>
${totalCount > 0 ? html`<a href="${basePath()}/api/jobs/export?${apiQuery(filters)}" download>${words.workbook}</a>` : ''}
${totalCount > 0 ? bulkLinks(visit.language, filters) : ''}</div>
${items.length > 0 ? renderTable(columnsOf(visit, words, selected), items) : html`<p class="note">${empty}</p>`}
${pager({ language, page, pageSize: PAGE_SIZE, totalCount, query, path: dashboardPath('jobs') })}
</div>`;
}

/** The actions on all jobs of a list. Each leads to its preview: nothing is changed before somebody confirms a number. */
function bulkLinks(language: Language, { filter, query }: Filters): Markup {
  const words = bulkWords(language);
  const { status } = filter;
  const isByFailure = filter.failedFromMs !== undefined || filter.failedUntilMs !== undefined;
  const isOffered = (kind: BulkKind): boolean =>
    status ? BULK_STATES[kind].includes(status) : !isByFailure || BULK_STATES[kind].includes('Failed');
  const links = BULK_KINDS.filter(isOffered).map(
    (kind) =>
      html`<a href="${dashboardPath(`jobs/bulk/new?${new URLSearchParams([['action', kind], ...query])}`)}">${bulkLinkWords(language)[kind]}</a>`,
  );
  return html`<p class="bulk-links">${links} <a href="${dashboardPath('jobs/bulk')}">${words.recent}</a></p>`;
}

/** The path of the page of a job. */
export const jobPath = (id: string, rest = ''): string => dashboardPath(`jobs/${id}${rest}`);

/** The page of the list itself, where the address is that of a download that was not given. */
const listPath = ({ query, page }: Filters): string =>
  dashboardPath(`jobs?${new URLSearchParams([...query, ['page', String(page)]])}`);

// The ids are those that the script finds the same row by after an update.
const columnsOf = (
  { language }: Visit,
  words: Words,
  selected: ReadonlySet<string>,
): readonly Column<Job>[] => [
  {
    title: words.select,
    kind: 'text',
    cell: ({ id, fileName }) =>
      html`<input type="checkbox" form="${SELECTION_FORM}" id="select-${id}" name="id" value="${id}" aria-label="${words.selectJob(fileName)}"${selected.has(id) ? html` checked` : ''}>`,
  },
  {
    title: words.file,
    kind: 'file',
    cell: ({ id, fileName }) => html`<a id="job-${id}" href="${jobPath(id)}"><bdi>${fileName}</bdi></a>`,
  },
  { title: words.status, kind: 'text', cell: ({ state }) => stateBadge(language, state) },
  { title: words.profile, kind: 'wide', cell: ({ profileName }) => profileName },
  { title: words.source, kind: 'text', cell: ({ source }) => sourceWords(language)[source] },
  { title: words.created, kind: 'text', cell: ({ createdAtMs }) => timeOf(language, createdAtMs) },
  { title: words.updated, kind: 'text', cell: ({ updatedAtMs }) => timeOf(language, updatedAtMs) },
  {
    title: words.error,
    kind: 'wide',
    cell: (job) => {
      const text = jobErrorText(language, job);
      return text === '' ? '' : html`<bdi>${text}</bdi>`;
    },
  },
];
