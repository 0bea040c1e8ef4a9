import { type BackupGauges, gaugesOf, type PipelineGauges } from './gauges.ts';
import { metricsLedger } from './metrics.ts';
import { type GaugeName, METRICS, type MetricName } from './metrics-table.ts';
import { INFINITE, nameOf, SUM, seriesOf, withLabel } from './series.ts';

type Counts = ReadonlyMap<string, number>;
type Lines = readonly string[];

/** All metrics in the Prometheus text format 0.0.4. The counts cost a query for each shard of their ledger. */
export async function renderMetrics(
  readPipeline: () => Promise<PipelineGauges>,
  readBackup: () => Promise<BackupGauges>,
): Promise<string> {
  const [counts, pipeline, backup] = await Promise.all([
    metricsLedger.read((readNode) => readNode('')),
    readPipeline(),
    readBackup(),
  ]);
  const gauges = gaugesOf(pipeline, backup);
  const byMetric = groupBy(counts, nameOf);
  const lines = (Object.keys(METRICS) as MetricName[]).flatMap((name) => [
    `# HELP ${name} ${METRICS[name].help}`,
    `# TYPE ${name} ${METRICS[name].type}`,
    ...samplesOf(name, byMetric.get(name) ?? new Map(), gauges),
  ]);
  return `${lines.join('\n')}\n`;
}

function samplesOf(name: MetricName, counts: Counts, gauges: Readonly<Record<GaugeName, number>>): Lines {
  const metric = METRICS[name];
  if (metric.type === 'gauge') return [`${name} ${gauges[name as GaugeName]}`];
  // A series without labels is there before it is counted; others cannot be known before.
  const known = Object.keys(metric.labels).length === 0 ? [seriesOf(name)] : [];
  if (metric.type === 'counter')
    return sorted(known, counts.keys()).map((series) => `${series} ${counts.get(series) ?? 0}`);
  const bySeries = groupBy(counts, (field) => field.slice(0, field.lastIndexOf(' ')));
  return sorted(known, bySeries.keys()).flatMap((series) =>
    histogramLines(series, metric.buckets, bySeries.get(series) ?? new Map()),
  );
}

// A bucket of the text format counts all observations up to its bound; the ledger counts each in one bucket.
function histogramLines(series: string, bounds: readonly number[], counts: Counts): Lines {
  const parts = [...counts].map(([field, count]) => [field.slice(series.length + 1), count] as const);
  const upTo = (bound: number): number =>
    parts.reduce((sum, [part, count]) => (part !== SUM && boundOf(part) <= bound ? sum + count : sum), 0);
  const microseconds = counts.get(`${series} ${SUM}`) ?? 0;
  const count = upTo(Number.POSITIVE_INFINITY);
  return [
    ...bounds.map((bound) => `${withLabel(series, '_bucket', 'le', String(bound))} ${upTo(bound)}`),
    `${withLabel(series, '_bucket', 'le', INFINITE)} ${count}`,
    `${withLabel(series, '_sum')} ${microseconds / 1_000_000}`,
    `${withLabel(series, '_count')} ${count}`,
  ];
}

const boundOf = (part: string): number => (part === INFINITE ? Number.POSITIVE_INFINITY : Number(part));

const sorted = (known: Lines, counted: Iterable<string>): Lines =>
  [...new Set([...known, ...counted])].toSorted();

function groupBy(counts: Counts, groupOf: (field: string) => string): Map<string, Map<string, number>> {
  const groups = new Map<string, Map<string, number>>();
  for (const [field, count] of counts) {
    const group = groups.get(groupOf(field)) ?? new Map<string, number>();
    groups.set(groupOf(field), group.set(field, count));
  }
  return groups;
}
