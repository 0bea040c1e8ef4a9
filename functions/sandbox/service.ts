import { service } from '../../shared/http/service.ts';
import { codeMessageDetailsStyle } from '../../shared/http/styles/code-message-details.ts';
import { errors } from './errors.ts';
import { settings } from './settings.ts';

/** Stand-ins for the outside world. They exist on the local stage only and let anyone in. */
export const sandbox = service({
  name: 'sandbox',
  title: 'Sandbox',
  description: 'Stand-ins for the world outside, for a machine of your own.',
  settings,
  authenticate: { schemes: {}, identify: async () => undefined },
  errors,
  style: codeMessageDetailsStyle,
  situations: {
    invalid: 'InvalidRequest',
    unauthorized: 'Unauthorized',
    forbidden: 'Unauthorized',
    tooLarge: 'InvalidRequest',
    unsupportedMedia: 'InvalidRequest',
    tooSlow: 'InvalidRequest',
    noRoute: 'EndpointNotFound',
    rateLimited: 'TooManyRequests',
    busy: 'TooManyRequests',
    unavailable: 'ServiceUnavailable',
    unexpected: 'UnexpectedError',
  },
});
