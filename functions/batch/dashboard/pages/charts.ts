import { html } from 'hono/html';
import type { Markup } from '../../../../shared/ui/page.ts';
import { givenText } from './text.ts';

// Charts are drawn here, without a library: a few rectangles. Colours come from the stylesheet, so that they follow the
// colour scheme, and every number stands beside its bar.

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

/**
 * Bars, one below the other: counts by label, or a histogram with a bar for each bucket. The chart is a table with a
 * drawing in each row, so that it is read aloud as one and fits a phone.
 * @example barChart({ title: 'Jobs', labelTitle: 'What', valueTitle: 'Count', bars: [{ label: 'Failed', value: 2 }], format: String })
 */
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
