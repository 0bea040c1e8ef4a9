import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { html } from 'hono/html';
import { refusalOf } from '../../../../../shared/console/refusals.ts';
import type { Answer } from '../../../../../shared/http/response/answer.ts';
import { AlreadyExists } from '../../../../../shared/store/refusals.ts';
import { formatCount } from '../../../../../shared/ui/numbers.ts';
import type { Markup } from '../../../../../shared/ui/page.ts';
import { badge, pager, problemBox, selectField } from '../../../../../shared/ui/parts.ts';
import { type Column, renderTable } from '../../../../../shared/ui/table.ts';
import { timeOf } from '../../../../../shared/ui/time-element.ts';
import type { DegreeBatch } from '../../../degrees/batches/domain/batch.ts';
import { createBatch } from '../../../degrees/batches/domain/create-batch.ts';
import { csvToLines } from '../../../degrees/batches/domain/csv-to-lines.ts';
import { listBatches } from '../../../degrees/batches/domain/read-batch.ts';
import { listInstitutes } from '../../../tenants/domain/institutes.ts';
import { mayDo } from '../../../tenants/domain/members/permissions.ts';
import { consolePath } from '../../pages/frame.ts';
import { leadTo, memberPage } from '../../pages/member-page.ts';
import { reasonOf, refusalText } from '../../pages/refusals.ts';
import { type Form, queryText, type Section, type Visit } from '../../visit.ts';
import { batchPage } from './batch-page.ts';
import { linesWords } from './words.ts';

const PAGE_SIZE = 20;

/** The form for a file of lines, and the files so far. */
async function linesPage(visit: Visit, problem?: string): Promise<Answer> {
  const { language, organization, member } = visit;
  const words = linesWords(language);
  const page = Math.max(1, Math.trunc(Number(queryText(visit, 'page'))) || 1);
  const found = await listBatches(organization.id, { page, pageSize: PAGE_SIZE });
  return memberPage(visit, {
    title: words.title,
    current: 'degree',
    address: consolePath('lines'),
    styles: ['credentials-items.css'],
    ...(problem !== undefined && { status: 422 }),
    body: html`<h1>${words.title}</h1>
${mayDo(member.role, 'items.create') ? await sendForm(visit, problem) : ''}
<h2>${words.earlier}</h2>
<div class="stack" id="batches" data-live="5" data-address="${consolePath('lines')}">
${found.items.length === 0 ? html`<p class="note">${words.none}</p>` : renderTable(columnsOf(visit), found.items)}
${pager({ language, page, pageSize: PAGE_SIZE, totalCount: found.totalCount, query: new URLSearchParams(), path: consolePath('lines') })}
</div>`,
  });
}

async function sendForm(
  { language, caller, organization }: Visit,
  problem: string | undefined,
): Promise<Markup> {
  const words = linesWords(language);
  const institutes = await listInstitutes(caller, organization.id);
  const choices = institutes.map(({ id, name }) => ({ value: id, text: name }));
  return html`<form class="card stack item-form" method="post" enctype="multipart/form-data" action="${consolePath('lines/send')}">
<input type="hidden" name="once" value="${randomUUID()}">
${problemBox(problem)}
<p>${words.intro}</p>
<p class="faint">${words.columns}</p>
${selectField({ id: 'instituteId', label: words.institute, choices })}
<div class="field"><label for="file">${words.file}</label><input id="file" type="file" name="file" accept=".csv,.ndjson,.jsonl,.txt" required aria-describedby="file-hint">
<p class="faint" id="file-hint">${words.fileHint}</p></div>
<div class="actions"><button class="button">${words.send}</button></div>
</form>`;
}

const columnsOf = ({ language }: Visit): readonly Column<DegreeBatch>[] => {
  const words = linesWords(language);
  return [
    {
      title: words.sent,
      kind: 'file',
      cell: ({ id, createdAtMs }) =>
        html`<a href="${consolePath(`lines/${id}`)}">${timeOf(language, createdAtMs)}</a>`,
    },
    { title: words.state, kind: 'text', cell: ({ state }) => badge(words[state]) },
    { title: words.lines, kind: 'number', cell: ({ lines }) => formatCount(language, lines) },
    { title: words.created, kind: 'number', cell: ({ created }) => formatCount(language, created) },
    { title: words.failed, kind: 'number', cell: ({ failed }) => formatCount(language, failed) },
  ];
};

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Creates the batch of a file, once however often the form is sent: the form chooses its id. */
async function submitFile(visit: Visit, form: Form): Promise<Answer> {
  const { caller, organization, language, nowMs } = visit;
  const bytes = form.file('file');
  if (!bytes) return linesPage(visit, linesWords(language).noFile);
  const once = form.text('once');
  const id = UUID.test(once) ? once : randomUUID();
  const refused = await refusalOf(async () => {
    // A byte order mark, which Windows begins a file with, is white space here.
    const isJson = bytes.toString().trimStart().startsWith('{');
    const instituteId = form.text('instituteId') || undefined;
    const lines = isJson ? bytes : await csvToLines(bytes, { instituteId });
    const content = Readable.from([Buffer.from(lines)]);
    try {
      await createBatch(caller, { organizationId: organization.id, content, id }, nowMs);
    } catch (error) {
      // A double click. The page of the batch is shown to those alone who may see it.
      if (!(error instanceof AlreadyExists)) throw error;
    }
  });
  if (refused) {
    const why = refused.details?.reason ? ` ${reasonOf(refused, language).text}` : '';
    return linesPage(visit, `${refusalText(refused, language)}${why}`);
  }
  return leadTo(`lines/${id}`, 'sent');
}

/** Degrees by files of lines: sending one, and following it. */
export const lines: Section = {
  pages: {
    lines: { operation: 'items.read', show: (visit) => linesPage(visit) },
    'lines/{id}': { operation: 'items.read', show: (visit, { id = '' }) => batchPage(visit, id) },
  },
  forms: {
    'lines/send': { operation: 'items.create', submit: (visit, _params, form) => submitFile(visit, form) },
  },
};
