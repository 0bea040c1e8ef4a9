import { html } from 'hono/html';
import type { Answer } from '../../../../../shared/http/response/answer.ts';
import type { Markup } from '../../../../../shared/ui/page.ts';
import { givenText, pager, textField } from '../../../../../shared/ui/parts.ts';
import { type Column, renderTable } from '../../../../../shared/ui/table.ts';
import { timeOf } from '../../../../../shared/ui/time-element.ts';
import { type Draft, listDrafts } from '../../../domain/drafts/draft.ts';
import { mayDo } from '../../../domain/members/permissions.ts';
import { newestGenerations } from '../../../domain/templates/generation/generation.ts';
import { listTemplates } from '../../../domain/templates/template.ts';
import { consolePath, draftPath } from '../../pages/frame.ts';
import { memberPage } from '../../pages/member-page.ts';
import { queryText, type Visit } from '../../visit.ts';
import { stateBadge } from './generation-page.ts';
import { templateWords } from './words.ts';

const PAGE_SIZE = 25;
const NEWEST = 10;

type Listed = Awaited<ReturnType<typeof listTemplates>>['items'][number];

/** The templates of the organization, what this member has begun, and the newest runs for many people. */
export async function templatesPage(visit: Visit): Promise<Answer> {
  const { language, caller, member, organization, nowMs } = visit;
  const words = templateWords(language);
  const q = queryText(visit, 'q').trim().slice(0, 200);
  const page = Math.min(100_000, Math.max(1, Math.trunc(Number(queryText(visit, 'page'))) || 1));
  const mayChange = mayDo(member.role, 'templates.change');
  const [found, drafts, newest] = await Promise.all([
    listTemplates(caller, { limit: PAGE_SIZE, offset: page - 1, order: 'Desc', ...(q !== '' && { q }) }),
    mayChange ? listDrafts(visit, nowMs) : [],
    newestGenerations(organization.id, NEWEST),
  ]);
  const begun = drafts.filter(({ template }) => template);
  return memberPage(visit, {
    title: words.title,
    current: 'templates',
    done: { deleted: words.deleted, thrown: words.draftDeleted },
    body: html`<h1>${words.title}</h1>
<p class="faint">${words.intro}</p>
${mayChange ? html`<form method="post" action="${consolePath('templates/new')}"><button class="button">${words.create}</button></form>` : ''}
<form class="row" method="get" role="search">
${textField({ id: 'q', label: words.searchHint, value: q, attributes: html` type="search" maxlength="200"` })}
<button class="button quiet">${words.search}</button>
</form>
${found.items.length === 0 ? html`<p class="note">${q === '' ? words.none : words.noneFound}</p>` : templatesTable(visit, found.items)}
${q === '' ? pager({ language, page, pageSize: PAGE_SIZE, totalCount: found.totalCount, query: new URLSearchParams() }) : ''}
${begun.length === 0 ? '' : begunPart(visit, begun)}
${newest.length === 0 ? '' : newestPart(visit, newest)}`,
  });
}

function templatesTable({ language }: Visit, items: readonly Listed[]): Markup {
  const words = templateWords(language);
  const columns: readonly Column<Listed>[] = [
    {
      title: words.name,
      kind: 'file',
      cell: ({ id, name }) => html`<a href="${consolePath(`templates/${id}`)}">${givenText(name)}</a>`,
    },
    { title: words.asks, kind: 'wide', cell: ({ values }) => givenText(values.join(', ')) },
    { title: words.version, kind: 'number', cell: ({ version }) => String(version) },
    {
      title: words.changed,
      kind: 'text',
      cell: ({ updateDate }) => timeOf(language, Date.parse(updateDate)),
    },
  ];
  return renderTable(columns, items);
}

function begunPart({ language }: Visit, begun: readonly Draft[]): Markup {
  const words = templateWords(language);
  const nameOf = ({ template }: Draft): string =>
    template?.kind === 'table' ? words.tableOf(template.name) : template?.name || words.untitled;
  return html`<section class="card stack" aria-labelledby="begun-title">
<h2 id="begun-title">${words.begun}</h2>
<ul class="plain">${begun.map(
    (draft) =>
      html`<li><a href="${consolePath(draftPath(draft))}">${givenText(nameOf(draft))}</a> <span class="faint">${timeOf(language, draft.updatedAtMs)}</span></li>`,
  )}</ul>
</section>`;
}

function newestPart({ language }: Visit, newest: Awaited<ReturnType<typeof newestGenerations>>): Markup {
  const words = templateWords(language);
  return html`<section class="card stack" aria-labelledby="newest-title" id="newest" data-live="5">
<h2 id="newest-title">${words.newest}</h2>
<ul class="plain">${newest.map(
    (generation) =>
      html`<li><a href="${consolePath(`templates/generations/${generation.id}`)}">${givenText(generation.template.name)}</a> ${stateBadge(generation.state, language)} <span class="faint">${timeOf(language, generation.createdAtMs)}</span></li>`,
  )}</ul>
</section>`;
}
