import { html } from 'hono/html';
import type { Answer } from '../../../../../shared/http/response/answer.ts';
import { formatCount } from '../../../../../shared/ui/numbers.ts';
import type { Markup } from '../../../../../shared/ui/page.ts';
import { badge, givenText, pager, selectField, textField } from '../../../../../shared/ui/parts.ts';
import { type Column, renderTable } from '../../../../../shared/ui/table.ts';
import { timeOf } from '../../../../../shared/ui/time-element.ts';
import { sendsMail } from '../../../domain/document/mail-announcement.ts';
import { listDrafts } from '../../../domain/drafts/draft.ts';
import { readFolderTree, type TreeFolder } from '../../../domain/lists/folder-tree.ts';
import { countDocuments, listDocuments } from '../../../domain/lists/list-documents.ts';
import { mayDo } from '../../../domain/members/permissions.ts';
import { besidePath, consolePath } from '../../pages/frame.ts';
import { memberPage } from '../../pages/member-page.ts';
import type { Visit } from '../../visit.ts';
import { type ListQuery, queryOf, readQuery, VIEW_NAMES, VIEWS, type ViewName } from './views.ts';
import { listWords, stateWords } from './words.ts';

type Listed = Awaited<ReturnType<typeof listDocuments>>['items'][number];
type Status = Listed['status'];

const PAGE_SIZE = 25;

export const TONES: Readonly<Record<Status, 'good' | 'warn' | 'bad' | 'neutral'>> = {
  Pending: 'warn',
  FlowConcluded: 'warn',
  Concluded: 'good',
  Refused: 'bad',
  Canceled: 'neutral',
  Expired: 'neutral',
};

/** By which documents wait for a member. */
const namesOf = ({ member: { email, cpf } }: Visit): string => [email, ...(cpf ? [cpf] : [])].join(',');

const requestOf = (visit: Visit, { view, q, folder, page }: ListQuery) => ({
  ...{ limit: PAGE_SIZE, offset: page - 1, order: 'Desc' as const },
  ...(VIEWS[view] && { status: VIEWS[view] }),
  ...(view === 'mine' && { waitingFor: namesOf(visit) }),
  ...(q !== '' && { q }),
  ...(folder !== '' && { folderId: folder }),
});

// Whom a document waits for is looked up in each: among more than so many it is counted where somebody asks for the list.
const MAX_COUNTED = 200;

/** How many documents wait for this member, where that is cheap to know. */
async function countMine(
  visit: Visit,
  { folder }: ListQuery,
  countOf: (status: 'Pending') => number,
): Promise<number | undefined> {
  const pending = countOf('Pending');
  if (pending === 0 || pending > MAX_COUNTED) return pending === 0 ? 0 : undefined;
  const request = requestOf(visit, { view: 'mine', q: '', folder, page: 1 });
  const { totalCount } = await listDocuments(visit.caller, { ...request, limit: MAX_COUNTED }, visit.nowMs);
  return totalCount;
}

/** The first page of the console: documents by state, folder and text. All of it is in the address. */
export async function listPage(visit: Visit, problem?: string): Promise<Answer> {
  const query = readQuery(visit);
  const { language, caller, nowMs, member } = visit;
  const words = listWords(language);
  const [found, countOf, folders, drafts] = await Promise.all([
    listDocuments(caller, requestOf(visit, query), nowMs),
    countDocuments(caller, query.folder || undefined),
    readFolderTree(caller),
    mayDo(member.role, 'documents.send') ? listDrafts(visit, nowMs) : [],
  ]);
  const mine = query.view === 'mine' || query.q !== '' ? undefined : await countMine(visit, query, countOf);
  const counts = (name: ViewName): number | undefined => {
    const status = VIEWS[name];
    if (status) return countOf(status);
    if (name === 'mine' && mine !== undefined) return mine;
    return name === query.view && query.q === '' ? found.totalCount : undefined;
  };
  return memberPage(visit, {
    title: words.title,
    current: 'documents',
    address: consolePath(),
    styles: ['documents-following.css'],
    done: {
      done: words.done,
      partly: words.partly,
      none: words.none,
      folder: words.folderMade,
      sent: words.sent,
      deleted: words.deleted,
    },
    ...(problem !== undefined && { status: 422 }),
    body: html`<h1>${words.title}</h1>
${problem === undefined ? '' : html`<div class="problem" role="alert"><p>${problem}</p></div>`}
<div class="following">
<div class="following-side">
${viewLinks(visit, query, counts, drafts.filter(({ template }) => !template).length)}
${folderLinks(visit, query, folders)}
</div>
<div class="stack">
${searchForm(visit, query)}
<div class="stack" id="documents" data-live="5">
${found.items.length === 0 ? emptyNote(visit, query) : documentsTable(visit, found.items)}
${
  query.q === '' && query.view !== 'mine'
    ? pager({
        language,
        page: query.page,
        pageSize: PAGE_SIZE,
        totalCount: found.totalCount,
        query: queryOf(query),
      })
    : furtherLink(visit, query, found.nextCursor)
}
</div>
${found.items.length === 0 || !mayDo(member.role, 'documents.read') ? '' : selectionForm(visit, folders)}
</div>
</div>`,
  });
}

function viewLinks(
  { language, member }: Visit,
  query: ListQuery,
  countOf: (name: ViewName) => number | undefined,
  drafts: number,
): Markup {
  const words = listWords(language);
  const numbered = (count: number | undefined) =>
    count === undefined ? '' : html` <span class="faint">${formatCount(language, count)}</span>`;
  return html`<nav aria-label="${words.views}" id="views" data-live-along><ul class="plain">${VIEW_NAMES.map(
    (name) =>
      html`<li><a href="?${queryOf({ ...query, view: name })}"${name === query.view ? html` aria-current="page"` : ''}>${words[name]}</a>${numbered(countOf(name))}</li>`,
  )}${
    mayDo(member.role, 'documents.send')
      ? html`<li><a href="${consolePath('send')}">${words.drafts}</a>${numbered(drafts)}</li>`
      : ''
  }</ul></nav>`;
}

function folderLinks({ language, member }: Visit, query: ListQuery, folders: readonly TreeFolder[]): Markup {
  const words = listWords(language);
  const link = (folder: string, name: Markup | string) =>
    html`<a href="?${queryOf({ ...query, folder })}"${folder === query.folder ? html` aria-current="page"` : ''}>${name}</a>`;
  return html`<nav aria-label="${words.folders}">
<h2>${words.folders}</h2>
<ul class="plain tree"><li>${link('', words.allFolders)}</li>${folders.map(
    ({ id, name, depth }) =>
      html`<li class="depth-${Math.min(depth + 1, 6)}">${link(id, givenText(name))}</li>`,
  )}</ul>
${
  mayDo(member.role, 'folders.change')
    ? html`<details class="new-folder"><summary>${words.newFolder}</summary>
<form class="stack" method="post" action="${consolePath('documents/folders')}">
<input type="hidden" name="parentId" value="${query.folder}">
${textField({ id: 'folderName', label: words.newFolder, attributes: html` maxlength="200" required` })}
<button class="button quiet">${words.create}</button></form></details>`
    : ''
}
</nav>`;
}

function searchForm({ language }: Visit, { view, q, folder }: ListQuery): Markup {
  const words = listWords(language);
  return html`<form class="row" method="get" role="search">
${[...queryOf({ view, q: '', folder })].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${textField({ id: 'q', label: words.searchHint, value: q, attributes: html` type="search" maxlength="200"` })}
<button class="button quiet">${words.search}</button>
</form>`;
}

function documentsTable({ language }: Visit, items: readonly Listed[]): Markup {
  const [words, states] = [listWords(language), stateWords(language)];
  const columns: readonly Column<Listed>[] = [
    {
      title: words.name,
      kind: 'file',
      cell: ({ id, name }) =>
        html`<input type="checkbox" form="selection" name="id" value="${id}" aria-label="${words.select(name)}"> <a href="${consolePath(`documents/${id}`)}">${givenText(name)}</a>`,
    },
    { title: words.state, kind: 'text', cell: ({ status }) => badge(states[status], TONES[status]) },
    { title: words.people, kind: 'text', cell: ({ flowActions }) => progressOf(flowActions, words) },
    { title: words.folder, kind: 'text', cell: ({ folder }) => (folder ? givenText(folder.name) : '') },
    {
      title: words.changed,
      kind: 'text',
      cell: ({ updateDate }) => timeOf(language, Date.parse(updateDate)),
    },
  ];
  return renderTable(columns, items);
}

const progressOf = (actions: Listed['flowActions'], words: ReturnType<typeof listWords>): string =>
  words.progress(actions.filter(({ status }) => status === 'Completed').length, actions.length);

function emptyNote({ language, member }: Visit, { view, q, folder, page }: ListQuery): Markup {
  const words = listWords(language);
  const isFirst =
    view === 'all' && q === '' && folder === '' && page === 1 && mayDo(member.role, 'documents.send');
  return isFirst
    ? html`<div class="card stack"><p>${words.emptyFirst}</p><p><a class="button" href="${consolePath('send')}">${words.sendFirst}</a></p></div>`
    : html`<p class="note">${words.empty}</p>`;
}

/** A search looks at so many documents at once; the rest is on the next page. */
const furtherLink = ({ language }: Visit, query: ListQuery, cursor: string | null): Markup | '' =>
  cursor === null
    ? ''
    : html`<p><a class="button quiet" href="?${queryOf(query)}&page=${query.page + 1}">${listWords(language).more}</a></p>`;

/** What is done with the checked ones. The boxes are elsewhere, so that the list can be replaced. */
function selectionForm({ language, member, organization }: Visit, folders: readonly TreeFolder[]): Markup {
  const words = listWords(language);
  const action = consolePath('documents/selection');
  const mayChange = mayDo(member.role, 'documents.change');
  return html`<form class="card stack" id="selection" method="post" action="${action}">
<p class="selected-count" hidden><span data-selected-count="selection">0</span> ${words.selected}</p>
<p class="select-page" hidden><label><input type="checkbox" data-select-all="documents"> ${words.selectPage}</label></p>
<div class="actions">
<button class="button quiet" formmethod="get" formaction="${besidePath('contents/zip')}">${words.zip}</button>
${mayChange ? html`<button class="button quiet" name="do" value="remind">${words.remind}</button>` : ''}
</div>
${
  mayChange
    ? html`<div class="row">${selectField({ id: 'to', label: words.moveTo, choices: [{ value: '', text: words.noFolder }, ...folders.map(({ id, name, depth }) => ({ value: id, text: `${'\u2003'.repeat(depth)}${name}` }))] })}
<button class="button quiet" name="do" value="move">${words.move}</button></div>
<details class="confirmed"><summary class="button quiet">${words.cancelSelected}</summary>
<p>${words.cancelExplained} ${sendsMail(organization) ? words.cancelIsTold : words.cancelIsNotTold}</p>
${textField({ id: 'reason', label: words.reason, attributes: html` maxlength="512"` })}
<p><button class="button danger" name="do" value="cancel">${words.cancelSelected}</button></p></details>`
    : ''
}
</form>`;
}
