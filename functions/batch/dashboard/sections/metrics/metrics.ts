import { readBackupGauges } from '../../../backup/domain/list-backups.ts';
import { renderMetrics } from '../../../operations/domain/render-metrics.ts';
import { readPipelineGauges } from '../../../pipeline/domain/read-gauges.ts';
import type { Section } from '../../visit.ts';
import { metricsPage } from './metrics-page.ts';
import { readSamples } from './samples.ts';

/** The metrics in charts: the figures of GET /api/metrics. */
export const metrics: Section = {
  pages: {
    metrics: async (visit) =>
      metricsPage(
        visit,
        readSamples(await renderMetrics(() => readPipelineGauges(visit.nowMs), readBackupGauges)),
      ),
  },
  forms: {},
};
