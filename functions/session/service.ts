import { applicationLimitsOf } from '../../shared/http/application-settings.ts';
import { apiKey } from '../../shared/http/authentication/api-key.ts';
import { service } from '../../shared/http/service.ts';
import { sessionStyle } from './error-style.ts';
import { errors } from './errors.ts';
import { settings } from './settings.ts';

export const session = service({
  name: 'session',
  title: 'Signing session server',
  description:
    'Open a signing session for a CPF with the PIN of its certificate, then sign PDF documents under it.',
  tags: {
    sessions: 'Open a signing session, ask for its status, end it.',
    certificates: 'The certificate that a session is bound to.',
    signatures: 'Sign PDFs under a session and fetch the signed files.',
  },
  settings,
  authenticate: apiKey('session'),
  errors,
  style: sessionStyle,
  situations: {
    invalid: 'INVALID_REQUEST',
    unauthorized: 'UNAUTHORIZED',
    forbidden: 'UNAUTHORIZED',
    tooLarge: 'DOCUMENT_TOO_LARGE',
    unsupportedMedia: 'INVALID_REQUEST',
    tooSlow: 'INVALID_REQUEST',
    noRoute: 'ENDPOINT_NOT_FOUND',
    rateLimited: 'SERVER_BUSY',
    busy: 'SERVER_BUSY',
    unavailable: 'SERVICE_UNAVAILABLE',
    unexpected: 'INTERNAL_ERROR',
  },
  unknownOptions: 'INVALID_REQUEST',
  admission: () => ({
    limit: settings['Throttle:ConcurrencyLimit'],
    queueLimit: settings['Throttle:QueueLimit'],
    waitMs: settings['Throttle:QueueWait'] * 1000,
  }),
  applicationLimits: () => applicationLimitsOf(settings),
  rates: {
    CreateSession: () => ({
      limit: settings['Throttle:SessionsPerAddress'],
      windowSeconds: 60,
      inBlocks: true,
      hidesRetryAfter: true, // SERVER_BUSY carries none
    }),
  },
});
