import { errorTable, type Refusal } from '../../shared/errors/errors.ts';

export const errors = errorTable({
  InvalidRedirectUri: [422, 'redirectUri is not an absolute URI that a user can be sent to.'],
  UnauthorizedRedirectUri: [
    422,
    'redirectUri is not registered for this key. Ask the operator to register it.',
  ],
  IdentifierRequiredToDiscover: [422, 'discover is true and identifier is absent.'],
  ServiceNotFound: [422, 'No provider by that name.'],
  DigestAlgorithmNameOrOidIsRequired: [422, 'Give digestAlgorithm or digestAlgorithmOid.'],
  InvalidDigestAlgorithm: [422, 'The digest algorithm is not one of SHA-1, SHA-256, SHA-384, SHA-512.'],
  SessionInvalidOrAlreadyUsed: [422, 'The session is unknown, or the provider no longer accepts it.'],
  SessionExpired: [422, "The session's lifetime is over."],

  ValidationFailed: [[400, 408], 'One or more fields are missing or malformed.'],
  Unauthorized: [401, 'The API key is missing or unknown.'],
  EndpointNotFound: [404, 'No operation answers this method and path.'],
  BodyTooLarge: [413, 'The request body exceeds the limit.'],
  UnsupportedMediaType: [415, 'The media type of the body cannot be read.'],
  TooManyRequests: [429, 'Too many requests. Retry later.'],
  NoValidCertificate: [500, 'The provider holds no certificate of the user that is valid now.'],
  ProviderUnavailable: [500, 'The provider could not be reached or does not work. Retry later.'],
  ProviderTimeout: [500, 'The provider did not answer in time.'],
  ProviderRefused: [500, 'The provider refused the request of the hub.'],
  ProviderAnswerUnreadable: [500, 'The provider answered something that its protocol does not know.'],
  SignatureDoesNotMatchCertificate: [
    500,
    "The provider's signature is not that of the certificate over the hash, so it is not given out.",
  ],
  ServiceUnavailable: [
    503,
    'The store does not answer in time. Retry as Retry-After says; what was asked for may have been done.',
  ],
  UnexpectedFailure: [500, 'The request could not be completed.'],
});

/** @example throw invalidField('hash', 'is not base64') */
export const invalidField = (field: string, message: string): Refusal =>
  errors.refuse('ValidationFailed', undefined, { fields: [{ field, message }] });
