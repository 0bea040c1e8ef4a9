import { html } from 'hono/html';
import { refusalOf } from '../../../../../shared/console/refusals.ts';
import type { Answer } from '../../../../../shared/http/response/answer.ts';
import { formatCount } from '../../../../../shared/ui/numbers.ts';
import type { Markup } from '../../../../../shared/ui/page.ts';
import {
  badge,
  checkBox,
  givenText,
  pager,
  problemBox,
  selectField,
  textField,
} from '../../../../../shared/ui/parts.ts';
import { type Column, renderTable } from '../../../../../shared/ui/table.ts';
import { timeOf } from '../../../../../shared/ui/time-element.ts';
import type { Item } from '../../../items/domain/item.ts';
import { listItems } from '../../../items/domain/item-lists.ts';
import { KINDS, type KindName } from '../../../items/domain/kinds.ts';
import { problemsOf } from '../../../items/domain/problems.ts';
import { listInstitutes } from '../../../tenants/domain/institutes.ts';
import { mayDo } from '../../../tenants/domain/members/permissions.ts';
import type { Institute } from '../../../tenants/domain/organization.ts';
import { consolePath } from '../../pages/frame.ts';
import { kindWords } from '../../pages/kind-words.ts';
import { memberPage } from '../../pages/member-page.ts';
import { refusalText } from '../../pages/refusals.ts';
import type { Visit } from '../../visit.ts';
import { itemName, studiesOf } from './item-name.ts';
import { type ListQuery, queryOf, readQuery, searchedText } from './queries.ts';
import { problemMarkup } from './words/advice-words.ts';
import { labelOf } from './words/field-words.ts';
import { itemWords } from './words/item-words.ts';
import { stateText, toneOf } from './words/state-words.ts';

const PAGE_SIZE = 50;
// Above the list; all of them are one click away.
const PROBLEMS_SHOWN = 5;

type Found = Awaited<ReturnType<typeof listItems>>;
const NOTHING: Found = { items: [], totalCount: 0 };

/** The items of a kind: those that need somebody first, then a page of all that the address asks for. */
export async function listPage(visit: Visit, kind: KindName): Promise<Answer> {
  const { language, caller, organization, member } = visit;
  const [words, names] = [itemWords(language), kindWords(kind, language)];
  const { path, owner } = KINDS[kind];
  const institutes = owner === 'institute' ? await listInstitutes(caller, organization.id) : [];
  const query = instituteOf(readQuery(visit, kind), institutes);
  const ownerId = owner === 'institute' ? query.institute : organization.id;
  const isPlain = query.q === '' && query.state === '' && !query.problem;
  // A search reads the whole list: it is not done again and again for a page that somebody left open.
  const isSearch = query.q !== '' || (query.problem && query.state !== '');
  let [found, problems] = [NOTHING, NOTHING];
  const refused = await refusalOf(async () => {
    if (ownerId === '') return;
    const filter = { status: query.state || undefined, problem: query.problem, text: searchedText(query.q) };
    [found, problems] = await Promise.all([
      listItems(kind, ownerId, { page: query.page, pageSize: PAGE_SIZE, ...filter }),
      isPlain && query.page === 1
        ? listItems(kind, ownerId, { page: 1, pageSize: PROBLEMS_SHOWN, problem: true })
        : NOTHING,
    ]);
  });
  return memberPage(visit, {
    title: names.many,
    current: kind,
    styles: ['credentials-items.css'],
    ...(refused && { status: refused.status }),
    body: html`<div class="list-head"><h1>${names.many}</h1>${mayDo(member.role, 'items.create') ? createLinks(visit, kind) : ''}</div>
${owner === 'institute' && institutes.length === 0 ? problemBox(words.noInstitute) : ''}
${refused ? problemBox(refusalText(refused, language)) : ''}
${searchForm(visit, kind, query, institutes)}
<div class="stack" id="items"${isSearch ? '' : html` data-live="5"`}>
${problemsPart(visit, kind, query, problems)}
${found.items.length === 0 ? emptyNote(visit, kind, isPlain) : itemsTable(visit, kind, found.items)}
${pager({ language, page: query.page, pageSize: PAGE_SIZE, totalCount: found.totalCount, query: queryOf(query), path: consolePath(path) })}
</div>`,
  });
}

/** A list of an institute begins with the first one. */
const instituteOf = (query: ListQuery, institutes: readonly Institute[]): ListQuery => ({
  ...query,
  institute: (institutes.find(({ id }) => id === query.institute) ?? institutes[0])?.id ?? '',
});

function createLinks({ language }: Visit, kind: KindName): Markup | '' {
  if (kind === 'restamp') return '';
  const { path } = KINDS[kind];
  return html`<p class="actions"><a class="button" href="${consolePath(`new/${path}`)}">${kindWords(kind, language).create}</a>${
    kind === 'degree'
      ? html` <a class="button quiet" href="${consolePath('lines')}">${itemWords(language).byLines}</a>`
      : ''
  }</p>`;
}

function searchForm(
  { language }: Visit,
  kind: KindName,
  { q, state, problem, institute }: ListQuery,
  institutes: readonly Institute[],
): Markup {
  const words = itemWords(language);
  const states = KINDS[kind].states.states.map((value) => ({
    value,
    text: stateText(kind, value, language),
  }));
  return html`<form class="row" method="get" role="search" action="${consolePath(KINDS[kind].path)}">
${institutes.length > 1 ? selectField({ id: 'institute', label: words.institute, value: institute, choices: institutes.map(({ id, name }) => ({ value: id, text: name })) }) : ''}
${textField({ id: 'q', label: words.searchHint, value: q, attributes: html` type="search" maxlength="200"` })}
${selectField({ id: 'state', label: words.state, value: state, choices: [{ value: '', text: words.anyState }, ...states] })}
${checkBox({ id: 'problem', label: words.withProblem, isChecked: problem })}
<button class="button quiet">${words.search}</button>
</form>`;
}

function problemsPart({ language }: Visit, kind: KindName, query: ListQuery, found: Found): Markup | '' {
  if (found.totalCount === 0) return '';
  const words = itemWords(language);
  return html`<section class="card stack problems-first" aria-labelledby="problems-title">
<h2 id="problems-title">${words.problems}</h2>
<ul class="plain">${found.items.map(
    (item) =>
      html`<li><a href="${consolePath(`${KINDS[kind].path}/${item.id}`)}">${givenText(itemName(item, language))}</a>
${problemsOf(item).map((problem) => html`<p class="faint">${problemMarkup(problem, language)}</p>`)}</li>`,
  )}</ul>
${
  found.totalCount > found.items.length
    ? html`<p><a href="?${queryOf({ ...query, problem: true })}">${words.allProblems(formatCount(language, found.totalCount))}</a></p>`
    : ''
}
</section>`;
}

function itemsTable({ language }: Visit, kind: KindName, items: readonly Item[]): Markup {
  const words = itemWords(language);
  const hasStudies = items.some((item) => studiesOf(item).studentName);
  const columns: readonly Column<Item>[] = [
    {
      title: kindWords(kind, language).one,
      kind: 'file',
      cell: (item) =>
        html`<a href="${consolePath(`${KINDS[kind].path}/${item.id}`)}">${givenText(itemName(item, language))}</a>`,
    },
    ...(hasStudies || kind === 'curriculum'
      ? [
          {
            title: labelOf('course', language),
            kind: 'wide',
            cell: (item: Item) => givenText(studiesOf(item).course ?? ''),
          } as const,
        ]
      : []),
    {
      title: words.state,
      kind: 'text',
      cell: (item) =>
        html`${badge(stateText(kind, item.state, language), toneOf(item.state))}${item.hasProblem ? html` ${badge(words.problem, 'bad')}` : ''}`,
    },
    { title: words.signatures, kind: 'text', cell: (item) => progressOf(item, words) },
    { title: words.changed, kind: 'text', cell: ({ updatedAtMs }) => timeOf(language, updatedAtMs) },
  ];
  return renderTable(columns, items);
}

/** How many of the people who sign its files have done so. */
function progressOf({ files }: Item, words: ReturnType<typeof itemWords>): string {
  const people = files.flatMap(({ document }) => document?.people ?? []);
  if (people.length === 0) return '';
  return words.progress(people.filter(({ status }) => status === 'Completed').length, people.length);
}

function emptyNote({ language }: Visit, kind: KindName, isPlain: boolean): Markup {
  const words = itemWords(language);
  return isPlain
    ? html`<div class="card stack"><p>${kindWords(kind, language).empty}</p></div>`
    : html`<p class="note">${words.nothingFound} <a href="${consolePath(KINDS[kind].path)}">${words.showAll}</a></p>`;
}
