/** The codes that the platforms give the framework's own refusals. */
export const PLATFORM_SITUATIONS = {
  invalid: 'InvalidRequest',
  unauthorized: 'Unauthorized',
  forbidden: 'Forbidden',
  tooLarge: 'InvalidRequest',
  unsupportedMedia: 'InvalidRequest',
  noRoute: 'EndpointNotFound',
  rateLimited: 'TooManyRequests',
  busy: 'TooManyRequests',
  unexpected: 'UnexpectedError',
} as const;

/** The slugs that both batch surfaces give them. */
export const SLUG_SITUATIONS = {
  invalid: 'request.invalid',
  unauthorized: 'auth.invalid-credentials',
  forbidden: 'auth.invalid-credentials',
  tooLarge: 'request.too-large',
  unsupportedMedia: 'request.media-type',
  noRoute: 'route.not-found',
  rateLimited: 'rate-limited',
  busy: 'rate-limited',
  unexpected: 'internal',
} as const;
