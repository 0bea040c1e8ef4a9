import { fileOf } from '../../../shared/http/declaration.ts';
import { plainText } from '../../../shared/http/response/answer.ts';
import { readBackupGauges } from '../installation/backup/domain/list-backups.ts';
import { renderMetrics } from '../operations/domain/render-metrics.ts';
import { readPipelineGauges } from '../pipeline/domain/read-gauges.ts';
import { batch } from '../service.ts';
import { settings } from '../settings.ts';

// The content type by which Prometheus knows the format and its version.
const TEXT_FORMAT = 'text/plain; version=0.0.4; charset=utf-8';

export const handler = batch.endpoint(
  {
    route: 'GET /api/metrics',
    summary: 'Read the metrics',
    description: 'In the Prometheus text format. `Metrics:RequireApiKey` false opens it to anyone.',
    tag: 'operations',
    ignoresUnknownOptions: true,
    answers: { 200: fileOf('text/plain') },
    refuses: ['auth.misconfigured'],
    access: () => (settings['Metrics:RequireApiKey'] ? 'key' : 'public'),
  },
  async () =>
    plainText(await renderMetrics(() => readPipelineGauges(Date.now()), readBackupGauges), {
      headers: { 'content-type': TEXT_FORMAT },
    }),
);
