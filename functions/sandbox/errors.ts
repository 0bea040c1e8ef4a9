import { errorTable } from '../../shared/errors/errors.ts';

export const errors = errorTable({
  InvalidRequest: [[400, 408, 413, 415], 'The request is malformed.'],
  Unauthorized: [401, 'The sandbox asks for no key.'],
  MailNotFound: [404, 'No such message was sent to this address within a day.'],
  EndpointNotFound: [404, 'The sandbox has nothing at this path.'],
  TooManyRequests: [429, 'Too many requests.'],
  ServiceUnavailable: [
    503,
    'The store does not answer in time. Retry as Retry-After says; what was asked for may have been done.',
  ],
  UnexpectedError: [500, 'The request could not be completed.'],
});
