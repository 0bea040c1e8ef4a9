import { apiKey } from '../../shared/http/api-key.ts';
import { applicationLimitsOf } from '../../shared/http/application-settings.ts';
import { service } from '../../shared/http/service.ts';
import { PLATFORM_SITUATIONS } from '../../shared/http/situations.ts';
import { pkiStyle } from './error-style.ts';
import { errors } from './errors.ts';
import { settings } from './settings.ts';

export const pki = service({
  name: 'pki',
  title: 'PKI core service',
  description: 'Authenticate people by their certificates, and by their faces.',
  settings,
  authenticate: apiKey('pki'),
  errors,
  style: pkiStyle,
  situations: PLATFORM_SITUATIONS,
  applicationLimits: () => applicationLimitsOf(settings),
  jsonTypes: ['application/json', 'text/json'],
});
