import { errorTable } from '../../shared/errors/errors.ts';

export const errors = errorTable({
  'auth.misconfigured': [401, 'No operator key is configured: set Auth:ApiKey.'],
  'auth.invalid-credentials': [401, 'The key is missing or wrong.'],
  'rate-limited': [429, 'Too many requests from this address. Wait as Retry-After says.'],
  'request.invalid': [[400, 408], 'The request is malformed.'],
  'request.too-large': [413, 'The request body exceeds the limit.'],
  'request.media-type': [415, 'The media type of the body cannot be read.'],
  'route.not-found': [404, 'No operation answers this method and path.'],
  'store.unavailable': [
    503,
    'The store does not answer in time. Retry as Retry-After says; what was asked for may have been done.',
  ],
  internal: [500, 'The request could not be completed.'],
});
