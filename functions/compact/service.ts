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
  situations: SLUG_SITUATIONS,
  rates: {
    All: () => ({
      limit: settings['RateLimiting:PermitLimit'],
      windowSeconds: settings['RateLimiting:Window'],
    }),
  },
});
