import { apiKey } from '../../shared/http/api-key.ts';
import { service } from '../../shared/http/service.ts';
import { documentsStyle } from '../../shared/http/styles/documents.ts';
import { errors } from './errors.ts';
import { settings } from './settings.ts';

export const credentials = service({
  name: 'credentials',
  title: 'Credential-issuing platform',
  description: 'Academic credentials and their life: issued, registered, suspended, annulled.',
  settings,
  authenticate: apiKey('credentials'),
  errors,
  style: documentsStyle,
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
});
