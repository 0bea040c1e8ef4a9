import { html } from 'hono/html';
import type { Markup } from './page.ts';

/** A column of a table: how it is laid out, and the content of its cells. */
export type Column<Row> = {
  readonly title: string;
  /** `file` is the name of the thing, `total` its most important figure, `wide` a text of any length. */
  readonly kind: 'file' | 'total' | 'number' | 'text' | 'wide' | 'actions';
  /** An empty cell is left out where rows are cards. */
  readonly cell: (row: Row) => Markup | string;
};

const CLOSING = html`</td>`;

/**
 * Renders a table, which the stylesheet makes cards of where its columns do not fit. It needs tables.css.
 * @example renderTable([{ title: 'File', kind: 'file', cell: ({ fileName }) => fileName }], jobs)
 */
// The roles are written out: a browser takes those of a table away with its layout. The tags of a column are made once: a
// template for each cell takes longer than all the rest of a long list.
export function renderTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Markup {
  const made = columns.map(({ title, kind, cell }) => ({
    cell,
    heading: html`<th role="columnheader" scope="col" class="${kind}">${title}</th>`,
    opening: html`<td role="cell" class="${kind}" data-label="${title}">`,
    empty: html`<td role="cell" class="${kind} empty"></td>`,
  }));
  const cellsOf = (row: Row) =>
    made.flatMap(({ cell, opening, empty }) => {
      const content = cell(row);
      return content === '' ? [empty] : [opening, content, CLOSING];
    });
  return html`<table class="rows files" role="table">
<thead role="rowgroup"><tr role="row">${made.map(({ heading }) => heading)}</tr></thead>
<tbody role="rowgroup">
${rows.map((row) => html`<tr role="row">${cellsOf(row)}</tr>\n`)}</tbody>
</table>`;
}
