import { processWide } from '../../../../shared/async/process-wide.ts';
import { ledger } from '../../../../shared/store/ledger/ledger.ts';
import { countsOfAmount } from '../../../../shared/store/lists/counts.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { LEDGER } from './events.ts';
import { type CounterName, type HistogramName, type LabelsOf, METRICS } from './metrics-table.ts';
import { bucketOf, nameOf, SUM, seriesOf } from './series.ts';

/**
 * The counts of all series: fields of one node, so that a scrape costs the same however much was counted. It is a part of
 * the ledger of jobs and events, which mostly change with them.
 */
export const metricsLedger = ledger({
  service: 'batch',
  ...LEDGER,
  part: 'metrics',
  countsOf: countsOfAmount,
});

// For a commit that counts nothing else. One for a process: all that it counts is then one record.
const shardOfProcess = processWide('batch.metrics-shard', () => Math.floor(Math.random() * LEDGER.shards));

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
  return metricsLedger.addingAnywhere({ [seriesOf(metric, labels)]: amount }, shardOfProcess);
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
  return metricsLedger.addingAnywhere(
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
