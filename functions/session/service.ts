import { applicationLimitsOf } from '../../shared/http/application-settings.ts';
import { apiKey } from '../../shared/http/authentication/api-key.ts';
import { service } from '../../shared/http/service.ts';
import type { ErrorStyle } from '../../shared/http/styles/style.ts';
import { errors } from './errors.ts';
import { settings } from './settings.ts';

/** `{ error: { code, message, details } }`, with details as one text. */
export const sessionStyle: ErrorStyle = {
  render: ({ code, message, details }) => ({
    error: { code, message, ...(details && { details: detailText(details) }) },
  }),
  schemas: {
    ErrorEnvelope: {
      type: 'object',
      description: 'Why a request was refused.',
      examples: [{ error: { code: 'SESSION_EXPIRED', message: 'No active session by this id.' } }],
      required: ['error'],
      properties: {
        error: {
          type: 'object',
          required: ['code', 'message'],
          properties: {
            code: { type: 'string', description: 'Not a closed set. Branch on it.' },
            message: { type: 'string', description: 'For logs, never for branching.' },
            details: {
              type: 'string',
              description: 'What the code alone does not say, for example the field.',
            },
          },
        },
      },
    },
  },
  schemaFor: () => 'ErrorEnvelope',
};

const detailText = (details: Readonly<Record<string, unknown>>): string =>
  Object.entries(details)
    .map(([name, value]) => `${name}: ${value}`)
    .join('; ');

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
  mintsCorrelationId: true,
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
