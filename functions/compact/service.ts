import { configuredKey } from '../../shared/http/configured-key.ts';
import { service } from '../../shared/http/service.ts';
import { problemDetailsStyle } from '../../shared/http/styles/problem-details.ts';
import { errors } from './errors.ts';
import { settings } from './settings.ts';

export const compact = service({
  name: 'compact',
  title: 'Batch signing service, compact surface',
  description: 'The batch signing engine behind a smaller interface.',
  settings,
  authenticate: configuredKey({
    header: () => settings['Auth:ApiKeyHeader'],
    key: () => settings['Auth:ApiKey'],
    misconfigured: () => errors.refuse('auth.misconfigured'),
  }),
  errors,
  style: problemDetailsStyle,
  situations: {
    invalid: 'request.invalid',
    unauthorized: 'auth.invalid-credentials',
    forbidden: 'auth.invalid-credentials',
    tooLarge: 'request.too-large',
    unsupportedMedia: 'request.media-type',
    noRoute: 'route.not-found',
    rateLimited: 'rate-limited',
    busy: 'rate-limited',
    unexpected: 'internal',
  },
  rates: {
    All: () => ({
      limit: settings['RateLimiting:PermitLimit'],
      windowSeconds: settings['RateLimiting:Window'],
    }),
  },
});
