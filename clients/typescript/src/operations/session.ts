// Made of functions/session/openapi.json by npm run openapi.

export const operations = {
  getHealth: { method: 'GET', path: '/healthz', answer: 'json' },
  getOpenapi: { method: 'GET', path: '/openapi/v1.json', answer: 'json' },
  getCertificateInfo: { method: 'GET', path: '/v1/certificates/info', answer: 'json' },
  createSession: { method: 'POST', path: '/v1/sessions', body: 'json', answer: 'json' },
  deactivateSession: { method: 'POST', path: '/v1/sessions/deactivate', body: 'json', answer: 'json' },
  getStatus: { method: 'GET', path: '/v1/sessions/status', answer: 'json' },
  signDocument: { method: 'POST', path: '/v1/signatures', body: 'json', answer: 'json', once: true },
  signBatch: { method: 'POST', path: '/v1/signatures/batch', body: 'form', answer: 'json' },
  getDocument: { method: 'GET', path: '/v1/signatures/{signatureId}/document', answer: 'file' },
  createPresignedUpload: { method: 'POST', path: '/v1/uploads/presigned', body: 'json', answer: 'json' },
} as const;

/** What the service refuses with. */
export type Code =
  | 'CERT_DATA_UNAVAILABLE'
  | 'CERT_INCOMPLETE_IDENTITY'
  | 'CERT_NOT_ACTIVE'
  | 'CERT_NOT_FOUND'
  | 'DOCUMENT_NOT_FOUND'
  | 'DOCUMENT_NOT_READY'
  | 'DOCUMENT_TOO_LARGE'
  | 'DOCUMENT_UNAVAILABLE'
  | 'ENDPOINT_NOT_FOUND'
  | 'INTERNAL_ERROR'
  | 'INVALID_DOCUMENT'
  | 'INVALID_PIN'
  | 'INVALID_REQUEST'
  | 'PIN_NOT_AVAILABLE'
  | 'SERVER_BUSY'
  | 'SERVICE_UNAVAILABLE'
  | 'SESSION_EXPIRED'
  | 'SIGNER_ERROR'
  | 'SIGNER_REJECTED'
  | 'SIGN_TIMEOUT'
  | 'TOO_MANY_PIN_ATTEMPTS'
  | 'UNAUTHORIZED'
  | 'UNSUPPORTED_DOCUMENT'
  | 'UPLOAD_ALREADY_USED'
  | 'UPLOAD_INCOMPLETE'
  | 'UPLOAD_NOT_FOUND'
  | 'WORKSTATION_OFFLINE';
