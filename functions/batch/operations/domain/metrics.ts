import { processWide } from '../../../../shared/async/process-wide.ts';
import { ledger } from '../../../../shared/store/ledger/ledger.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { type CounterName, type HistogramName, type LabelsOf, METRICS } from './metrics-table.ts';
import { bucketOf, nameOf, SUM, seriesOf } from './series.ts';

// A scrape is a query for each shard. Four take more than 1,000 commits a second.
const SHARDS = 4;

/** The counts of all series: fields of one node, so that a scrape costs the same however much was counted. */
export const metricsLedger = ledger({
  service: 'batch',
  name: 'metrics',
  shards: SHARDS,
  countsOf: (field) => [{ node: '', field }],
});

// One for a process: all that a commit counts is then one record, and one item of its transaction.
const shardOfProcess = processWide('batch.metrics-shard', () => Math.floor(Math.random() * SHARDS));

type Labelled<Name extends CounterName> = keyof LabelsOf<Name> extends never
  ? [labels?: LabelsOf<Name>, amount?: number]
  : [labels: LabelsOf<Name>, amount?: number];

/**
 * The write that counts something, for the commit of the change that it counts: both happen, or neither. Writers that
 * count the same thing never conflict.
 * @example await jobs.change(job, done, { also: [counting('bulk_jobs_completed_total')] });
 *          counting('bulk_jobs_enqueued_total', { folder: '(upload)' })
 */
export function counting<Name extends CounterName>(
  metric: Name,
  ...[labels, amount = 1]: Labelled<Name>
): Write {
  return metricsLedger.adding({ [seriesOf(metric, labels)]: amount }, shardOfProcess);
}

// Counts are whole numbers, so that adding them in any order is exact.
const MICROSECONDS = 1_000_000;

/**
 * The write that adds an observation to a histogram.
 * @example observing('bulk_signing_duration_seconds', { format: 'Pades' }, (endedAtMs - startedAtMs) / 1000)
 */
export function observing<Name extends HistogramName>(
  metric: Name,
  labels: LabelsOf<Name>,
  seconds: number,
): Write {
  // A clock that was set back makes a duration negative.
  const observed = Math.max(0, seconds);
  const series = seriesOf(metric, labels);
  const bucket = bucketOf(METRICS[metric].buckets, observed);
  return metricsLedger.adding(
    { [`${series} ${bucket}`]: 1, [`${series} ${SUM}`]: Math.round(observed * MICROSECONDS) },
    shardOfProcess,
  );
}

/** The mean of all observations of a histogram, whatever their labels, in seconds; 0 before the first. */
export async function readMeanSeconds(metric: HistogramName): Promise<number> {
  const counts = await metricsLedger.read((readNode) => readNode(''));
  let [microseconds, observations] = [0, 0];
  for (const [field, count] of counts) {
    if (nameOf(field) !== metric) continue;
    if (field.endsWith(` ${SUM}`)) microseconds += count;
    else observations += count;
  }
  return observations === 0 ? 0 : microseconds / MICROSECONDS / observations;
}
