import { applicationLimitsOf } from '../../shared/http/application-settings.ts';
import { apiKey } from '../../shared/http/authentication/api-key.ts';
import { service } from '../../shared/http/service.ts';
import { hubStyle } from './error-style.ts';
import { errors } from './errors.ts';
import { settings } from './settings.ts';

export const hub = service({
  name: 'hub',
  title: 'Cloud certificate hub',
  description: 'Sign with certificates that cloud providers hold, whichever provider it is.',
  tags: {
    sessions: 'Create signing sessions at providers and read their state.',
    providers: 'The providers of cloud certificates and what they hold.',
    signing: 'Read the certificate of a session, and sign hashes with its key.',
  },
  settings,
  authenticate: apiKey('hub'),
  errors,
  style: hubStyle,
  situations: {
    invalid: 'ValidationFailed',
    unauthorized: 'Unauthorized',
    forbidden: 'Unauthorized',
    tooLarge: 'BodyTooLarge',
    unsupportedMedia: 'UnsupportedMediaType',
    tooSlow: 'ValidationFailed',
    noRoute: 'EndpointNotFound',
    rateLimited: 'TooManyRequests',
    busy: 'TooManyRequests',
    unavailable: 'ServiceUnavailable',
    unexpected: 'UnexpectedFailure',
  },
  unknownOptions: 'ValidationFailed',
  applicationLimits: () => applicationLimitsOf(settings),
});
