/** Codes of the framework's refusals at the platforms: documents, credentials and the PKI core. */
export const PLATFORM_SITUATIONS = {
  invalid: 'InvalidRequest',
  unauthorized: 'Unauthorized',
  forbidden: 'Forbidden',
  tooLarge: 'InvalidRequest',
  unsupportedMedia: 'InvalidRequest',
  tooSlow: 'InvalidRequest',
  noRoute: 'EndpointNotFound',
  rateLimited: 'TooManyRequests',
  busy: 'TooManyRequests',
  unavailable: 'ServiceUnavailable',
  unexpected: 'UnexpectedError',
} as const;

/** Codes of the framework's refusals at both batch surfaces. */
export const SLUG_SITUATIONS = {
  invalid: 'request.invalid',
  unauthorized: 'auth.invalid-credentials',
  forbidden: 'auth.invalid-credentials',
  tooLarge: 'request.too-large',
  unsupportedMedia: 'request.media-type',
  tooSlow: 'request.invalid',
  noRoute: 'route.not-found',
  rateLimited: 'rate-limited',
  busy: 'rate-limited',
  unavailable: 'store.unavailable',
  unexpected: 'internal',
} as const;
