import { html } from 'hono/html';
import type { Answer } from '../../../../../shared/http/response/answer.ts';
import type { Language } from '../../../../../shared/ui/languages.ts';
import { formatCount } from '../../../../../shared/ui/numbers.ts';
import type { Markup } from '../../../../../shared/ui/page.ts';
import { badge, factList, givenText, pager } from '../../../../../shared/ui/parts.ts';
import { type Column, renderTable } from '../../../../../shared/ui/table.ts';
import { timeOf } from '../../../../../shared/ui/time-element.ts';
import { batchStates, requireBatch } from '../../../degrees/batches/domain/batch.ts';
import { readErrors } from '../../../degrees/batches/domain/read-batch.ts';
import { consolePath } from '../../pages/frame.ts';
import { memberPage } from '../../pages/member-page.ts';
import { reasonMarkup, reasonOf } from '../../pages/refusals.ts';
import { queryText, type Visit } from '../../visit.ts';
import { labelOf } from '../items/words/field-words.ts';
import { linesWords } from './words.ts';

const PAGE_SIZE = 50;

type LineError = Awaited<ReturnType<typeof readErrors>>['items'][number];

/** How far a file of lines is, and the lines that became no degree. */
export async function batchPage(visit: Visit, id: string): Promise<Answer> {
  const { language, caller } = visit;
  const words = linesWords(language);
  const page = Math.max(1, Math.trunc(Number(queryText(visit, 'page'))) || 1);
  const batch = await requireBatch(caller, id);
  const errors = await readErrors(caller, id, { page, pageSize: PAGE_SIZE });
  const done = batch.created + batch.failed;
  const count = (value: number): string => formatCount(language, value);
  return memberPage(visit, {
    title: words.batch,
    current: 'degree',
    styles: ['credentials-items.css'],
    done: { sent: words.doneSent },
    body: html`<h1>${words.batch}</h1>
<div class="stack" id="batch"${batchStates.isTerminal(batch.state) ? '' : html` data-live="2"`}>
<section class="card stack">
<p>${badge(words[batch.state], batchStates.isTerminal(batch.state) ? 'good' : 'neutral')}</p>
<label for="progress">${words.progress}: ${count(done)} / ${count(batch.lines)}</label>
<progress id="progress" value="${done}" max="${batch.lines}"></progress>
${factList([
  [words.sent, timeOf(language, batch.createdAtMs)],
  [words.created, count(batch.created)],
  [words.failed, count(batch.failed)],
])}
<p><a class="button quiet" href="${consolePath('degrees')}">${words.degrees}</a></p>
</section>
${errors.totalCount === 0 ? '' : errorsPart(visit, errors.items)}
${pager({ language, page, pageSize: PAGE_SIZE, totalCount: errors.totalCount, query: new URLSearchParams(), path: consolePath(`lines/${id}`) })}
</div>`,
  });
}

function errorsPart({ language }: Visit, errors: readonly LineError[]): Markup {
  const words = linesWords(language);
  const columns: readonly Column<LineError>[] = [
    { title: words.line, kind: 'file', cell: ({ line }) => formatCount(language, line) },
    { title: words.what, kind: 'wide', cell: (error) => whatIsWrong(error, language) },
  ];
  return html`<section class="stack" aria-labelledby="errors-title"><h2 id="errors-title">${words.errors}</h2>
<p class="faint">${words.errorsHint}</p>
${renderTable(columns, errors)}</section>`;
}

/** The field and what is wrong with it, where the line is refused for one; or else what the refusal says. */
function whatIsWrong(error: LineError, language: Language): Markup {
  const field = error.code === 'InvalidFields' ? error.details?.field : undefined;
  const name = field === undefined ? '' : html`${givenText(labelOf(field, language))}: `;
  return html`${name}${reasonMarkup(reasonOf(error, language))}`;
}
