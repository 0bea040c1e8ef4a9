import { metricsLedger } from '../../../../functions/batch/operations/domain/metrics.ts';

/** The sum of the series whose fields match. */
export async function counted(series: RegExp): Promise<number> {
  const counts = await metricsLedger.read((readNode) => readNode(''));
  return [...counts].reduce((sum, [field, count]) => sum + (series.test(field) ? count : 0), 0);
}
