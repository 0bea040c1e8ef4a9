import { errorTable } from '../../shared/http/errors.ts';

export const errors = errorTable({
  InvalidRedirectUri: [422, 'redirectUri is not an absolute URI.'],
  UnauthorizedRedirectUri: [
    422,
    'redirectUri is not registered for this key. Ask the operator to register it.',
  ],
  IdentifierRequiredToDiscover: [422, 'discover is true and identifier is absent.'],
  ServiceNotFound: [422, 'No provider by that name.'],
  DigestAlgorithmNameOrOidIsRequired: [422, 'Give digestAlgorithm or digestAlgorithmOid.'],
  InvalidDigestAlgorithm: [422, 'The digest algorithm is not recognized.'],
  SessionInvalidOrAlreadyUsed: [422, 'The session is unknown, or the provider no longer accepts it.'],
  SessionExpired: [422, "The session's lifetime is over."],

  ValidationFailed: [400, 'One or more fields are missing or malformed.'],
  Unauthorized: [401, 'The API key is missing or unknown.'],
  EndpointNotFound: [404, 'No operation answers this method and path.'],
  BodyTooLarge: [413, 'The request body exceeds the limit.'],
  UnsupportedMediaType: [415, 'The media type of the body cannot be read.'],
  TooManyRequests: [429, 'Too many requests. Retry later.'],
  UnexpectedFailure: [500, 'The request could not be completed.'],
});
