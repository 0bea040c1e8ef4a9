import { html } from 'hono/html';
import type { Markup } from '../../../../shared/ui/page.ts';
import { givenText } from './text.ts';

// Charts are drawn here, without a library: a few rectangles. Colours come from the stylesheet, so that they follow the
// colour scheme, and every number is in a table too.

type Bar = { readonly label: string; readonly value: number };

type BarChart = {
  readonly title: string;
  readonly labelTitle: string;
  readonly valueTitle: string;
  readonly bars: readonly Bar[];
  readonly format: (value: number) => string;
};

const WIDTH = 100;
const BAR_HEIGHT = 10;

/** The part of the greatest value, out of so many. A value above zero is never nothing. */
const scaleOf = (value: number, greatest: number, size: number): number =>
  value <= 0 || greatest <= 0 ? 0 : Math.max(size / 100, Math.round((value / greatest) * size * 100) / 100);

/** Bars, one below the other. The chart is a table with a drawing in each row. */
export function barChart({ title, labelTitle, valueTitle, bars, format }: BarChart): Markup {
  const greatest = Math.max(0, ...bars.map(({ value }) => value));
  return html`<table class="chart">
<caption>${title}</caption>
<thead class="visually-hidden"><tr><th scope="col">${labelTitle}</th><th scope="col">${valueTitle}</th></tr></thead>
<tbody>${bars.map(
    ({ label, value }) => html`<tr><th scope="row">${givenText(label)}</th><td>
<svg viewBox="0 0 ${WIDTH} ${BAR_HEIGHT}" preserveAspectRatio="none" aria-hidden="true"><rect width="${scaleOf(value, greatest, WIDTH)}" height="${BAR_HEIGHT}"/></svg>
<span>${format(value)}</span></td></tr>`,
  )}</tbody>
</table>`;
}

/** A bucket of a histogram: what was observed above the bound before it and up to its own. */
type Bucket = { readonly label: string; readonly count: number };

type Histogram = {
  readonly title: string;
  readonly bucketTitle: string;
  readonly countTitle: string;
  /** Opens the numbers as a table. */
  readonly tableTitle: string;
  readonly buckets: readonly Bucket[];
  readonly format: (count: number) => string;
};

const COLUMN = 40;
const GAP = 4;
const PLOT_HEIGHT = 100;
const LABEL_HEIGHT = 18;
const TOP = 14;

/** Columns side by side, each with its count above and its bound below. The numbers are in a table beside it. */
export function histogramChart(histogram: Histogram): Markup {
  const { title, bucketTitle, countTitle, tableTitle, buckets, format } = histogram;
  const greatest = Math.max(0, ...buckets.map(({ count }) => count));
  const columns = buckets.map(({ label, count }, index) => {
    const height = scaleOf(count, greatest, PLOT_HEIGHT);
    const [left, top] = [index * COLUMN, TOP + PLOT_HEIGHT - height];
    const middle = left + COLUMN / 2;
    return html`<rect x="${left + GAP / 2}" y="${top}" width="${COLUMN - GAP}" height="${height}"/>
${count > 0 ? html`<text x="${middle}" y="${top - 3}">${format(count)}</text>` : ''}
<text x="${middle}" y="${TOP + PLOT_HEIGHT + LABEL_HEIGHT - 5}">${label}</text>`;
  });
  const [width, height] = [buckets.length * COLUMN, TOP + PLOT_HEIGHT + LABEL_HEIGHT];
  const base = TOP + PLOT_HEIGHT;
  return html`<figure class="histogram">
<figcaption>${title}</figcaption>
<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">${columns}
<line x1="0" x2="${width}" y1="${base}" y2="${base}"/></svg>
<details><summary>${tableTitle}</summary>
<table class="numbers"><thead><tr><th scope="col">${bucketTitle}</th><th scope="col">${countTitle}</th></tr></thead>
<tbody>${buckets.map(
    ({ label, count }) => html`<tr><th scope="row">${label}</th><td>${format(count)}</td></tr>`,
  )}</tbody></table></details>
</figure>`;
}
