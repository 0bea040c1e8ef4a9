import { count, duration, flag, headerKey, text } from '../../shared/settings/kinds.ts';
import { defineSettings } from '../../shared/settings/settings.ts';

export const settings = defineSettings('compact', {
  'Auth:ApiKey': headerKey('The operator key. While it is empty nobody is let in.'),
  'Auth:ApiKeyHeader': text('X-API-Key', 'The header that carries the operator key.'),
  'Swagger:EnabledInProduction': flag(false, 'Whether a deployment serves the browsable reference.'),
  'RateLimiting:PermitLimit': count(60, 'Requests per window and address.', { min: 1 }),
  'RateLimiting:Window': duration(60, 'Length of that window.', { min: 1 }),
});
