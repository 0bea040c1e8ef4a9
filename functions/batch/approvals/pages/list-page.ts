import { html } from 'hono/html';
import type { Language } from '../../../../shared/ui/languages.ts';
import type { Markup } from '../../../../shared/ui/page.ts';
import {
  type ApproverList,
  type ApproverRow,
  type ApproverRows,
  DECIDED_DAYS,
} from '../../jobs/domain/job/approver-lists.ts';
import { formatCount, formatDates, timeOf } from './format.ts';
import { listWords } from './list-words.ts';
import { portalPage, portalPath } from './portal-frame.ts';

type ListView = ApproverRows & {
  readonly list: ApproverList;
  readonly language: Language;
  readonly address: string;
  readonly nowMs: number;
  /** Why a signature elsewhere came to nothing. */
  readonly problem?: string;
};

type Words = ReturnType<typeof listWords>;
type Column = {
  readonly title: keyof Words;
  readonly kind: 'file' | 'total' | 'number' | 'text' | 'wide';
  readonly cell: (row: ApproverRow, view: ListView, words: Words) => Markup | string;
};

const FILE: Column = {
  title: 'file',
  kind: 'file',
  cell: ({ jobId, fileName }) => html`<a href="${portalPath(`jobs/${jobId}`)}">${fileName}</a>`,
};
const TOTAL: Column = { title: 'total', kind: 'total', cell: ({ totalFormatted }) => totalFormatted };
const PAYMENTS: Column = {
  title: 'payments',
  kind: 'number',
  cell: ({ paymentCount }, { language }) => formatCount(language, paymentCount),
};
const DATES: Column = {
  title: 'dates',
  kind: 'text',
  cell: (row, { language }) => formatDates(language, row),
};

const COLUMNS: Readonly<Record<ApproverList, readonly Column[]>> = {
  pending: [
    FILE,
    TOTAL,
    PAYMENTS,
    DATES,
    { title: 'since', kind: 'text', cell: ({ atMs }, { language }) => timeOf(language, atMs) },
    {
      title: 'expires',
      kind: 'text',
      cell: ({ expiresAtMs }, { language, nowMs }, words) => {
        if (expiresAtMs === null) return words.never;
        return expiresAtMs > nowMs ? timeOf(language, expiresAtMs) : words.expired;
      },
    },
  ],
  decided: [
    FILE,
    TOTAL,
    PAYMENTS,
    DATES,
    {
      title: 'decision',
      kind: 'text',
      cell: ({ verdict }, _, words) =>
        verdict ? html`<span class="badge ${verdict}">${words[verdict]}</span>` : '',
    },
    { title: 'decidedAt', kind: 'text', cell: ({ atMs }, { language }) => timeOf(language, atMs) },
    { title: 'reason', kind: 'wide', cell: ({ reason }) => reason ?? '' },
  ],
};

/** A list of the portal: a table, which the stylesheet makes cards of on a phone. */
export function listPage(view: ListView) {
  const { list, language, address, rows, hasMore, problem } = view;
  const words = listWords(language);
  const hint = list === 'pending' ? words.pendingHint : words.decidedHint(DECIDED_DAYS);
  const body =
    rows.length === 0
      ? html`<div class="card notice">
<h1>${list === 'pending' ? words.noPending : words.noDecided}</h1>
<p>${list === 'pending' ? words.noPendingHint : hint}</p>
</div>`
      : html`<div class="list-head">
<div><h1>${words[list]}</h1><p class="faint">${hint}</p></div>
<a class="button quiet" href="${portalPath(`export/${list}`)}" download>${words.spreadsheet} (.xlsx)</a>
</div>
${hasMore ? html`<p class="note">${words.more(rows.length)}</p>` : ''}
${table(view, words)}`;
  const shown = problem ? html`<div class="problem" role="alert"><p>${problem}</p></div>` : '';
  return portalPage({ title: words[list], language, address, list, body: html`${shown}${body}` });
}

const CLOSING = html`</td>`;

// The roles are written out: a browser takes those of a table away with its layout. The tags of a column are made once: a
// template for each cell takes longer than all the rest of a long list.
function table(view: ListView, words: Words): Markup {
  const columns = COLUMNS[view.list].map(({ title, kind, cell }) => ({
    cell,
    heading: html`<th role="columnheader" scope="col" class="${kind}">${words[title]}</th>`,
    opening: html`<td role="cell" class="${kind}" data-label="${words[title]}">`,
    empty: html`<td role="cell" class="${kind} empty"></td>`,
  }));
  const cellsOf = (row: ApproverRow) =>
    columns.flatMap(({ cell, opening, empty }) => {
      const content = cell(row, view, words);
      return content === '' ? [empty] : [opening, content, CLOSING];
    });
  return html`<table class="rows files" role="table">
<thead role="rowgroup"><tr role="row">${columns.map(({ heading }) => heading)}</tr></thead>
<tbody role="rowgroup">
${view.rows.map((row) => html`<tr role="row">${cellsOf(row)}</tr>\n`)}</tbody>
</table>`;
}
