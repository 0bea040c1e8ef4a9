import { html } from 'hono/html';
import type { Language } from '../../../../shared/ui/languages.ts';
import type { Markup } from '../../../../shared/ui/page.ts';
import { type Column, renderTable } from '../../../../shared/ui/table.ts';
import { formatCount, formatDates, timeOf } from '../../config/page-format.ts';
import {
  type ApproverList,
  type ApproverRow,
  type ApproverRows,
  DECIDED_DAYS,
} from '../../jobs/domain/job/approver-lists.ts';
import { listWords } from './list-words.ts';
import { portalPage, portalPath } from './portal-frame.ts';

type ListView = ApproverRows & {
  readonly list: ApproverList;
  readonly language: Language;
  readonly address: string;
  readonly nowMs: number;
  /** Why a signature elsewhere came to nothing. */
  readonly problem?: string;
  /** What the visitor has done elsewhere. */
  readonly done?: string;
};

type Shown = ListView & {
  /** The contents that more than one file of the list has. */
  readonly repeated: ReadonlySet<string>;
};

type Words = ReturnType<typeof listWords>;
/** The words that are texts, and no functions of values. */
type TextName = { [Name in keyof Words]: Words[Name] extends string ? Name : never }[keyof Words];
type ListColumn = Pick<Column<ApproverRow>, 'kind'> & {
  readonly title: TextName;
  readonly cell: (row: ApproverRow, view: Shown, words: Words) => Markup | string;
};

const FILE: ListColumn = {
  title: 'file',
  kind: 'file',
  cell: ({ jobId, fileName, contentSha256 }, { list, repeated }, words) => {
    const isRepeated = list === 'pending' && repeated.has(contentSha256);
    return html`<a href="${portalPath(`jobs/${jobId}`)}">${fileName}</a>${
      isRepeated ? html` <span class="badge warn">${words.sameContent}</span>` : ''
    }`;
  },
};
const TOTAL: ListColumn = { title: 'total', kind: 'total', cell: ({ totalFormatted }) => totalFormatted };
const PAYMENTS: ListColumn = {
  title: 'payments',
  kind: 'number',
  cell: ({ paymentCount }, { language }) => formatCount(language, paymentCount),
};
const DATES: ListColumn = {
  title: 'dates',
  kind: 'text',
  cell: (row, { language }) => formatDates(language, row),
};

const COLUMNS: Readonly<Record<ApproverList, readonly ListColumn[]>> = {
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
  const { list, language, address, rows, hasMore, problem, done } = view;
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
${renderTable(columnsOf(view, words), rows)}`;
  const told = done ? html`<p class="done" role="status">${done}</p>` : '';
  const shown = problem ? html`<div class="problem" role="alert"><p>${problem}</p></div>` : '';
  return portalPage({ title: words[list], language, address, list, body: html`${told}${shown}${body}` });
}

function columnsOf(view: ListView, words: Words): readonly Column<ApproverRow>[] {
  const shown = { ...view, repeated: repeatedIn(view.rows) };
  return COLUMNS[view.list].map(({ title, kind, cell }) => ({
    title: words[title],
    kind,
    cell: (row) => cell(row, shown, words),
  }));
}

function repeatedIn(rows: readonly ApproverRow[]): ReadonlySet<string> {
  const [seen, repeated] = [new Set<string>(), new Set<string>()];
  for (const { contentSha256 } of rows)
    if (contentSha256 !== '') (seen.has(contentSha256) ? repeated : seen).add(contentSha256);
  return repeated;
}
