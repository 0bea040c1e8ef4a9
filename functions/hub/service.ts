import { applicationLimitsOf } from '../../shared/http/application-settings.ts';
import { apiKey } from '../../shared/http/authentication/api-key.ts';
import { service } from '../../shared/http/service.ts';
import {
  codeMessageDetails,
  detailTexts,
  type ErrorStyle,
  fieldErrors,
} from '../../shared/http/styles/style.ts';
import { errors } from './errors.ts';
import { settings } from './settings.ts';

/** 422 `{code,message,details}`, a validation problem at 400, an empty 401, a short JSON string at 500. */
export const hubStyle: ErrorStyle = {
  render(refusal) {
    const { code, status, message } = refusal;
    if (status === 401) return undefined;
    if (status >= 500) return code;
    if (status === 400) return { type: 'about:blank', title: message, status, errors: fieldErrors(refusal) };
    return { code, message, details: detailTexts(refusal) };
  },
  mediaTypeFor: (status) => (status === 400 ? 'application/problem+json' : 'application/json'),
  schemas: {
    ErrorModel: codeMessageDetails,
    ValidationProblem: {
      type: 'object',
      description: 'The fields of a request that are not valid.',
      examples: [
        {
          type: 'about:blank',
          title: 'The request is not valid.',
          status: 400,
          errors: { redirectUri: ['is required'] },
        },
      ],
      required: ['title', 'status', 'errors'],
      properties: {
        type: { type: 'string' },
        title: { type: 'string' },
        status: { type: 'integer' },
        errors: {
          type: 'object',
          description: 'Each field with what is wrong with it.',
          additionalProperties: { type: 'array', items: { type: 'string' } },
        },
      },
    },
    FailureCode: {
      type: 'string',
      description: 'A short code, as a bare JSON string.',
      examples: ['UnexpectedFailure'],
    },
  },
  schemaFor(status) {
    if (status === 401) return undefined;
    if (status >= 500) return 'FailureCode';
    return status === 400 ? 'ValidationProblem' : 'ErrorModel';
  },
};

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
