import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { METRICS } from '../../functions/batch/operations/domain/metrics-table.ts';
import { readDeclared } from '../../infra/runtime/resources/read.ts';
import { METRICS as ALL } from '../../shared/metrics/table.ts';

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

test('the dashboard of every service shows every metric, by labels that it has, and reads counters as increases', () => {
  const board = JSON.parse(readFileSync('docs/grafana/sinete.json', 'utf8')) as { panels: Panel[] };
  const bySeries = new Map(Object.values(ALL).map((metric) => [metric.series as string, metric]));
  const shown = board.panels.flatMap(({ targets = [] }) =>
    targets.map(({ expr }) => {
      const [series = ''] = expr.match(/\bsinete_\w+/) ?? [];
      const metric = bySeries.get(series.replace(/_bucket$/, ''));
      const labels = Object.keys(metric?.dimensions ?? {}).map((name) => name.toLowerCase());
      const [, by = ''] = /\bby \(([^)]*)\)/.exec(expr) ?? [];
      const used = [...by.split(', '), ...[...expr.matchAll(/(\w+)!?="/g)].map(([, label = '']) => label)];
      const foreign = used.filter((label) => label && label !== 'le' && !labels.includes(label));
      expect([expr, foreign]).toEqual([expr, []]);
      expect([expr, /(rate|increase)\(sinete_/.test(expr)]).toEqual([expr, metric?.kind !== 'gauge']);
      return metric?.series;
    }),
  );
  expect(new Set(shown)).toEqual(new Set(bySeries.keys()));
});

const readRules = (file: string): readonly Group[] =>
  (parse(readFileSync(`docs/grafana/${file}`, 'utf8')) as { groups: readonly Group[] }).groups;

test('the alerts of every service name metrics of the table, with labels and values that they have', () => {
  const bySeries = new Map(Object.values(ALL).map((metric) => [metric.series as string, metric]));
  for (const { expr } of readRules('sinete-alerts.yml').flatMap(({ rules }) => rules)) {
    const named = [...expr.matchAll(/\b(sinete_\w+)(?:\{([^}]*)\})?/g)];
    expect(named.length, expr).toBeGreaterThan(0);
    for (const [, series = '', selector = ''] of named) {
      const metric = bySeries.get(series.replace(/_bucket$/, ''));
      expect([expr, metric]).toEqual([expr, expect.anything()]);
      const dimensions = Object.entries(metric?.dimensions ?? {}).map(([name, values]) => [
        name.toLowerCase(),
        values,
      ]);
      for (const [, label = '', value = ''] of selector.matchAll(/(\w+)="([^"]*)"/g))
        expect([expr, Object.fromEntries(dimensions)[label]]).toEqual([
          expr,
          expect.arrayContaining([value]),
        ]);
    }
  }
});

type Rule = {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string };
};
type Group = { readonly name: string; readonly rules: readonly Rule[] };

describe('the alerts', () => {
  const groups = readRules('alerts.yml');
  const rules = groups.flatMap((group) => group.rules);

  test('name metrics of the table, with values that their labels have', () => {
    for (const { expr } of rules) {
      for (const [, series = '', selector = ''] of expr.matchAll(/\b(bulk_\w+)(?:\{([^}]*)\})?/g)) {
        const metric = METRICS[metricOf(series) as keyof typeof METRICS];
        expect([expr, metric]).toEqual([expr, expect.anything()]);
        for (const [, label = '', value = ''] of selector.matchAll(/(\w+)="([^"]*)"/g))
          expect((metric.labels as Record<string, unknown>)[label]).toContain(value);
      }
    }
  });

  test('of the service itself need its metrics alone; others come from the exporters that the comments configure', () => {
    const others = rules.flatMap(({ expr }) => expr.match(/\b(?:sinete|aws)_\w+/g) ?? []);
    expect(new Set(others)).toEqual(
      new Set(['sinete_check_ok', 'aws_sqs_approximate_number_of_messages_visible_maximum']),
    );
    const [own] = groups;
    expect(own?.rules.filter(({ expr }) => !expr.includes('bulk_'))).toEqual([]);
  });

  test('cover every dead-letter queue of the service', () => {
    const { expr = '' } = rules.find(({ alert }) => alert === 'SineteDeadLetters') ?? {};
    const [, pattern = ''] = /queue_name=~"([^"]+)"/.exec(expr) ?? [];
    const dead = readDeclared(process.cwd(), 'prod')
      .queues.map(({ name }) => name)
      .filter((name) => /-batch-(.*-)?dead$/.test(name));
    expect(dead.length).toBeGreaterThan(3);
    expect(dead.filter((name) => !new RegExp(`^${pattern}$`).test(name))).toEqual([]);
  });

  test('have names of their own, a severity, and a sentence that says what to do', () => {
    const all = [...rules, ...readRules('sinete-alerts.yml').flatMap((group) => group.rules)];
    expect(new Set(all.map(({ alert }) => alert)).size).toBe(all.length);
    for (const { labels, annotations } of all) {
      expect(['warning', 'critical']).toContain(labels.severity);
      expect(annotations.summary).toMatch(/^[A-Z{].{60,}\.$/);
    }
  });
});
