import { applicationLimitsOf } from '../../shared/http/application-settings.ts';
import { apiKey } from '../../shared/http/authentication/api-key.ts';
import { service } from '../../shared/http/service.ts';
import { PLATFORM_SITUATIONS } from '../../shared/http/situations.ts';
import { pkiStyle } from './error-style.ts';
import { errors } from './errors.ts';
import { settings } from './settings.ts';

export const pki = service({
  name: 'pki',
  title: 'PKI core service',
  description: 'Authenticate people by their certificates, and by their faces.',
  tags: {
    authentication: 'Authenticate the holder of a certificate by a signature with its key.',
    biometrics: 'Liveness and enrollment sessions with the camera of a person.',
    'signature-sessions':
      'Sessions in which a person signs documents with a certificate, on a page of this service.',
  },
  listedStatuses: [400, 422],
  settings,
  authenticate: apiKey('pki'),
  errors,
  style: pkiStyle,
  situations: PLATFORM_SITUATIONS,
  unknownOptions: 'OptionNotSupported',
  applicationLimits: () => applicationLimitsOf(settings),
  jsonTypes: ['application/json', 'text/json'],
});
