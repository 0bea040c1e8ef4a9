import { configuredKey } from '../../shared/http/authentication/configured-key.ts';
import { service } from '../../shared/http/service.ts';
import { SLUG_SITUATIONS } from '../../shared/http/situations.ts';
import { problemDetailsStyle } from '../../shared/http/styles/problem-details.ts';
import { errors } from './errors.ts';
import { settings } from './settings.ts';

export const compact = service({
  name: 'compact',
  title: 'Batch signing service, compact surface',
  description: 'The batch signing engine behind a smaller interface.',
  tags: {
    jobs: 'Upload files, and follow, retry and download their jobs.',
    operations: 'The metrics, a scan of the input folders, and the cleanup of old files.',
    health: 'Liveness and readiness, for probes.',
  },
  settings,
  authenticate: configuredKey({
    header: () => settings['Auth:ApiKeyHeader'],
    key: () => settings['Auth:ApiKey'],
    misconfigured: () => errors.refuse('auth.misconfigured'),
  }),
  errors,
  style: problemDetailsStyle,
  situations: { ...SLUG_SITUATIONS, unsupportedMedia: 'request.invalid' },
  unknownOptions: 'request.invalid',
  tooLargeForGateway: 'upload.too-large',
  invalidQuery: 'validation.filter-invalid',
  rates: {
    All: () => ({
      limit: settings['RateLimiting:PermitLimit'],
      windowSeconds: settings['RateLimiting:Window'],
      // The specification's limit is of all requests of an address.
      beforeKey: true,
    }),
  },
});
