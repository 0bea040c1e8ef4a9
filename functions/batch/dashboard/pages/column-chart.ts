import { html } from 'hono/html';
import type { Markup } from '../../../../shared/ui/page.ts';

type Part = { readonly name: string; readonly tone: 'good' | 'bad' };

type Column = {
  readonly label: string;
  /** One for each part, from the bottom. */
  readonly values: readonly number[];
};

type ColumnChart = {
  readonly id: string;
  readonly title: string;
  readonly labelTitle: string;
  readonly parts: readonly Part[];
  readonly columns: readonly Column[];
  readonly format: (value: number) => string;
};

const HEIGHT = 60;
const STEP = 10;
const WIDTH = 8;

/**
 * Columns over time, each in parts, drawn without a library. The drawing is for the eye; the same numbers are a table, read
 * aloud and opened by a click. Colours come from the stylesheet.
 * @example columnChart({ id: 'day', title: 'Last day', labelTitle: 'Hour', parts, columns, format: String })
 */
export function columnChart({ id, title, labelTitle, parts, columns, format }: ColumnChart): Markup {
  const totals = columns.map(({ values }) => values.reduce((sum, value) => sum + value, 0));
  const greatest = Math.max(1, ...totals);
  const sums = parts.map((_, n) => columns.reduce((sum, { values }) => sum + (values[n] ?? 0), 0));
  const bars = columns.flatMap(({ values }, n) => {
    let top = HEIGHT;
    return values.map((value, at) => {
      // A value above zero is never nothing.
      const height = value === 0 ? 0 : Math.max(1, Math.round((value / greatest) * HEIGHT * 100) / 100);
      top -= height;
      return height === 0
        ? ''
        : html`<rect class="${parts[at]?.tone ?? 'good'}" x="${n * STEP + 1}" y="${Math.max(0, top)}" width="${WIDTH}" height="${height}"/>`;
    });
  });
  return html`<section class="column-chart" aria-labelledby="${id}-title"><h3 id="${id}-title">${title}</h3>
<ul class="legend">${parts.map(({ name, tone }, n) => html`<li class="${tone}">${name}: ${format(sums[n] ?? 0)}</li>`)}</ul>
<svg viewBox="0 0 ${columns.length * STEP} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">${bars}</svg>
<div class="axis" aria-hidden="true"><span>${columns[0]?.label ?? ''}</span><span>${columns.at(-1)?.label ?? ''}</span></div>
<details id="${id}-table"><summary>${labelTitle}</summary><table class="chart-table">
<caption class="visually-hidden">${title}</caption>
<thead><tr><th scope="col">${labelTitle}</th>${parts.map(({ name }) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${columns.map(
    ({ label, values }) =>
      html`<tr><th scope="row">${label}</th>${values.map((value) => html`<td>${format(value)}</td>`)}</tr>`,
  )}</tbody>
</table></details></section>`;
}
