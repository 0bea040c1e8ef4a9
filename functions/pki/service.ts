import { apiKey } from '../../shared/http/api-key.ts';
import { service } from '../../shared/http/service.ts';
import { pkiStyle } from '../../shared/http/styles/pki.ts';
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
  situations: {
    invalid: 'InvalidRequest',
    unauthorized: 'Unauthorized',
    forbidden: 'Forbidden',
    tooLarge: 'InvalidRequest',
    unsupportedMedia: 'InvalidRequest',
    noRoute: 'EndpointNotFound',
    rateLimited: 'TooManyRequests',
    busy: 'TooManyRequests',
    unexpected: 'UnexpectedError',
  },
  jsonTypes: ['application/json', 'text/json'],
});
