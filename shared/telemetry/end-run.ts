import { freezesAfterRun } from '../async/freezes-after-run.ts';
import { printMetrics } from '../log/print-metrics.ts';
import { isEmitting, takeCounted } from '../metrics/count.ts';
import { emfLines } from '../metrics/emf.ts';
import { exportSpansBy } from '../trace/spans.ts';
import { isExporting } from '../trace/trace.ts';

const exporter = () => import('./otlp.ts');
exportSpansBy(exporter);

// For the answer, which leaves after it.
const ANSWER_MS = 200;

/**
 * Ends a run of a function: sends what must be gone before its process is frozen. It takes a short time at most, less
 * where the host is about to end the run, and never fails.
 */
export async function endRun(remainingMs = Number.POSITIVE_INFINITY): Promise<void> {
  if (!freezesAfterRun()) return;
  if (isEmitting()) printMetrics(emfLines(takeCounted(), Date.now()));
  if (isExporting()) await (await exporter()).flushInTime(remainingMs - ANSWER_MS);
}
