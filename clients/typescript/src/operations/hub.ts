// Made of functions/hub/openapi.json by npm run openapi.

export const operations = {
  createSession: { method: 'POST', path: '/api/sessions', body: 'json', answer: 'json' },
  getCertificate: { method: 'GET', path: '/api/sessions/certificate', answer: 'json' },
  getCustomState: { method: 'GET', path: '/api/sessions/custom-state', answer: 'json' },
  listServices: { method: 'GET', path: '/api/sessions/services', answer: 'json' },
  createServiceSession: { method: 'POST', path: '/api/sessions/services/{name}', body: 'json', answer: 'json' },
  getAvailability: { method: 'GET', path: '/api/sessions/services/{name}/availability', answer: 'json' },
  signHash: { method: 'POST', path: '/api/sessions/sign-hash', body: 'json', answer: 'json' },
  getCertificateV2: { method: 'GET', path: '/api/v2/sessions/certificate', answer: 'json' },
  getHealth: { method: 'GET', path: '/healthz', answer: 'json' },
  getOpenapi: { method: 'GET', path: '/openapi/v1.json', answer: 'json' },
} as const;

/** What the service refuses with. */
export type Code =
  | 'BodyTooLarge'
  | 'DigestAlgorithmNameOrOidIsRequired'
  | 'EndpointNotFound'
  | 'IdentifierRequiredToDiscover'
  | 'InvalidDigestAlgorithm'
  | 'InvalidRedirectUri'
  | 'NoValidCertificate'
  | 'ProviderAnswerUnreadable'
  | 'ProviderRefused'
  | 'ProviderTimeout'
  | 'ProviderUnavailable'
  | 'ServiceNotFound'
  | 'ServiceUnavailable'
  | 'SessionExpired'
  | 'SessionInvalidOrAlreadyUsed'
  | 'SignatureDoesNotMatchCertificate'
  | 'TooManyRequests'
  | 'Unauthorized'
  | 'UnauthorizedRedirectUri'
  | 'UnexpectedFailure'
  | 'UnsupportedMediaType'
  | 'ValidationFailed';
