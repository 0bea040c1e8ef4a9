import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { METRICS } from '../../functions/batch/operations/domain/metrics-table.ts';

type Target = { readonly expr: string };
type Panel = { readonly title: string; readonly targets?: readonly Target[] };

const { panels } = JSON.parse(readFileSync('docs/grafana/batch.json', 'utf8')) as { panels: Panel[] };
const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

// A histogram is read by the series that it is made of.
const metricOf = (series: string): string => {
  const base = series.replace(/_(bucket|sum|count)$/, '');
  return base in METRICS && !(series in METRICS) ? base : series;
};

test('the dashboard shows every metric of the table, and no other', () => {
  const shown = queries.flatMap((query) => query.match(/\bbulk_\w+/g) ?? []).map(metricOf);
  expect([...new Set(shown)].toSorted()).toEqual(Object.keys(METRICS).toSorted());
});

test('a query aggregates by labels that its metric has, and reads a counter as a rate or an increase', () => {
  for (const query of queries) {
    const [name = ''] = query.match(/\bbulk_\w+/) ?? [];
    const metric = METRICS[metricOf(name) as keyof typeof METRICS];
    const [, by = ''] = /\bby \(([^)]*)\)/.exec(query) ?? [];
    const labels = by.split(', ').filter((label) => label !== '' && label !== 'le');
    expect([query, labels.filter((label) => !(label in metric.labels))]).toEqual([query, []]);
    expect([query, /(rate|increase)\(bulk_/.test(query)]).toEqual([query, metric.type !== 'gauge']);
  }
});

test('approver signatures are aggregated by outcome, over both means', () => {
  const query = queries.find((each) => each.includes('bulk_approver_signatures_total'));
  expect(query).toMatch(/^sum by \(outcome\) /);
});
