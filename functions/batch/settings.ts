import { cookieName, count, duration, flag, headerKey, text } from '../../shared/settings/kinds.ts';
import { defineSettings } from '../../shared/settings/settings.ts';

export const settings = defineSettings('batch', {
  'Auth:ApiKey': headerKey('The operator key. While it is empty nobody is let in.'),
  'Auth:ApiKeyHeader': text('X-API-Key', 'The header that carries the operator key.'),
  'Auth:CookieName': cookieName('lbs-auth', 'The cookie of an operator who has logged in.'),
  'Auth:CookieHours': count(8, 'Hours that a session lasts after its last use.', { min: 1, max: 720 }),
  'Swagger:EnabledInProduction': flag(false, 'Whether a deployment serves the browsable reference.'),
  'Pipeline:MaxConcurrency': count(1, 'Jobs signed at once.', { min: 1, max: 32 }),
  'RateLimiting:Actions:PermitLimit': count(60, 'Operator actions per window and address.', { min: 1 }),
  'RateLimiting:Actions:Window': duration(60, 'Length of that window.', { min: 1 }),
});
