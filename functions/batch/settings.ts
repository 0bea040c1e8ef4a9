import { count, duration, flag, headerKey, text } from '../../shared/settings/kinds.ts';
import { defineSettings } from '../../shared/settings/settings.ts';

export const settings = defineSettings('batch', {
  'Auth:ApiKey': headerKey('The operator key. While it is empty nobody is let in.'),
  'Auth:ApiKeyHeader': text('X-API-Key', 'The header that carries the operator key.'),
  'Swagger:EnabledInProduction': flag(false, 'Whether a deployment serves the browsable reference.'),
  'Pipeline:MaxConcurrency': count(1, 'Jobs signed at once.', { min: 1, max: 32 }),
  'Metrics:RequireApiKey': flag(true, 'Whether the metrics ask for the operator key.'),
  'Readiness:RequireApiKey': flag(false, 'Whether readiness asks for the operator key.'),
  'RateLimiting:Upload:PermitLimit': count(30, 'Uploads per window and address.', { min: 1 }),
  'RateLimiting:Upload:Window': duration(60, 'Length of that window.', { min: 1 }),
  'RateLimiting:Actions:PermitLimit': count(60, 'Operator actions per window and address.', { min: 1 }),
  'RateLimiting:Actions:Window': duration(60, 'Length of that window.', { min: 1 }),
  'RateLimiting:Export:PermitLimit': count(10, 'Exports of lists per window and address.', { min: 1 }),
  'RateLimiting:Export:Window': duration(60, 'Length of that window.', { min: 1 }),
});
