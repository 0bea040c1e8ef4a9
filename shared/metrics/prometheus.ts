import type { Series } from './count.ts';
import { LATENCY_SECONDS, METRICS, type MetricName } from './table.ts';

const TYPES = { counter: 'counter', gauge: 'gauge', distribution: 'histogram' } as const;

/**
 * Metrics in the Prometheus text format 0.0.4, of all processes: counts are added up, and of a gauge the newest counts, or
 * what the table says of those that live.
 * @example renderSeries([countedSeries()])
 */
export function renderSeries(processes: readonly (readonly Series[])[]): string {
  const added = addUp(processes.flat());
  const lines = (Object.keys(METRICS) as MetricName[]).flatMap((name) => {
    const { series, help, kind } = METRICS[name];
    const own = added.filter((each) => each.name === name).toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    return [
      `# HELP ${series} ${help}`,
      `# TYPE ${series} ${TYPES[kind]}`,
      ...own.flatMap((each) => (each.buckets ? histogram(series, each) : [sample(series, each)])),
    ];
  });
  return `${lines.join('\n')}\n`;
}

const keyOf = ({ name, dimensions }: Series): string => [name, ...Object.values(dimensions)].join(' ');

function addUp(all: readonly Series[]): Series[] {
  return [...Map.groupBy(all, keyOf).values()].map((same) =>
    isGauge(same)
      ? combined(same)
      : same.reduce((sum, each) => {
          const buckets = each.buckets?.map((count, n) => count + (sum.buckets?.[n] ?? 0));
          return { ...each, value: sum.value + each.value, ...(buckets && { buckets }) };
        }),
  );
}

type Measured = Series & { readonly atMs: number };
const isGauge = (all: readonly Series[]): all is readonly Measured[] =>
  all.every(({ atMs }) => atMs !== undefined);

// The counts of a process that has ended stay. What it measured of itself ends with it.
const LIVES_MS = 60_000;

function combined(same: readonly Measured[]): Series {
  const newest = same.reduce((a, b) => (b.atMs >= a.atMs ? b : a));
  const metric = METRICS[newest.name];
  if (metric.kind !== 'gauge' || metric.combine === 'newest') return newest;
  const values = same.filter(({ atMs }) => newest.atMs - atMs < LIVES_MS).map(({ value }) => value);
  return {
    ...newest,
    value: metric.combine === 'max' ? Math.max(...values) : values.reduce((a, b) => a + b),
  };
}

// Values come from closed sets and names in the code, which need no escape.
const labelled = (series: string, { dimensions }: Series, more: readonly string[] = []): string => {
  const labels = Object.entries(dimensions).map(([name, value]) => `${name.toLowerCase()}="${value}"`);
  return `${series}{${[...labels, ...more].join(',')}}`;
};

const sample = (series: string, one: Series): string => `${labelled(series, one)} ${one.value}`;

// A bucket of the text format counts all observations up to its bound; the series counts each in one bucket.
function histogram(series: string, one: Series): string[] {
  const { buckets = [], value } = one;
  const upTo = (at: number): number => buckets.slice(0, at + 1).reduce((sum, count) => sum + count, 0);
  const bounds = [...LATENCY_SECONDS.map(String), '+Inf'];
  return [
    ...bounds.map((bound, at) => `${labelled(`${series}_bucket`, one, [`le="${bound}"`])} ${upTo(at)}`),
    `${labelled(`${series}_sum`, one)} ${value / 1_000}`,
    `${labelled(`${series}_count`, one)} ${upTo(bounds.length)}`,
  ];
}
