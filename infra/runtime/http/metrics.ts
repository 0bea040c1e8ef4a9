// The metrics of all services at one address, of the local engine and of the host: those of the batch service, which has
// them in its store and says who may read them, and those that the processes have counted.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { METRICS_FOLDER, readProcesses } from '../../../shared/metrics/processes.ts';
import { renderSeries } from '../../../shared/metrics/prometheus.ts';

/** Where all metrics are, and where those of the batch service are, which are answered first. */
export const METRICS_PATH = '/metrics';
export const BATCH_METRICS_PATH = '/batch/api/metrics';

/** Opens the folder in which the processes that are started from now on put their counts. */
export function openMetricsFolder(): { remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'sinete-metrics-'));
  process.env[METRICS_FOLDER] = folder;
  return { remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** The text of the batch service's metrics, and all others after it. */
export const withAllMetrics = (batchMetrics: string): string => batchMetrics + renderSeries(readProcesses());
