import { errorTable } from '../../shared/errors/errors.ts';

export const errors = errorTable({
  InvalidRequest: [[400, 408, 413, 415], 'The request is malformed.'],
  Unauthorized: [401, 'The API key is missing or invalid.'],
  Forbidden: [403, 'The key is valid, but its application lacks permission for this operation.'],
  EndpointNotFound: [404, 'No operation answers this method and path.'],
  TooManyRequests: [429, 'Too many requests. Retry later.'],
  ServiceUnavailable: [
    503,
    'The store does not answer in time. Retry as Retry-After says; what was asked for may have been done.',
  ],
  UnexpectedError: [500, 'The request could not be completed. It is safe to retry.'],
});
