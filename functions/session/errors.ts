import { errorTable } from '../../shared/errors/errors.ts';

export const errors = errorTable({
  INVALID_REQUEST: [[400, 408, 415], 'The request is malformed or its media type cannot be read.'],
  INVALID_DOCUMENT: [400, 'No document arrived, or it was empty.'],
  UNAUTHORIZED: [401, 'The API key is not accepted.'],
  SESSION_EXPIRED: [401, 'No active session by this id. Create a new one.'],
  INVALID_PIN: [401, 'The PIN opened no certificate of this CPF.'],
  CERT_NOT_FOUND: [404, 'No certificate is held for this CPF, or the bound one is no longer held.'],
  DOCUMENT_NOT_FOUND: [404, 'No document by this signature id.'],
  UPLOAD_NOT_FOUND: [404, 'No upload by this id is for this session. Announce the file again.'],
  ENDPOINT_NOT_FOUND: [404, 'No operation answers this method and path. Operations are under /v1.'],
  DOCUMENT_NOT_READY: [409, 'The document is still being signed. Ask again.'],
  DOCUMENT_TOO_LARGE: [413, 'The document or the request body exceeds the limit.'],
  CERT_NOT_ACTIVE: [422, 'Every certificate of this CPF, or the bound one, has a verdict that cannot sign.'],
  DOCUMENT_UNAVAILABLE: [422, 'The document ended without a signed version.'],
  PIN_NOT_AVAILABLE: [
    422,
    'The PIN could not be compared: nobody answered the prompt, or the certificate did not open.',
  ],
  WORKSTATION_OFFLINE: [
    422,
    'Every active certificate of this CPF is on a workstation, and all are offline.',
  ],
  CERT_DATA_UNAVAILABLE: [422, "The certificate's own data is not held."],
  CERT_INCOMPLETE_IDENTITY: [422, 'The certificate does not name its holder well enough.'],
  UNSUPPORTED_DOCUMENT: [422, 'The document is not a PDF.'],
  UPLOAD_INCOMPLETE: [
    422,
    'The file of the upload has not arrived, or is not the announced one. Put it again.',
  ],
  UPLOAD_ALREADY_USED: [422, 'A document is or was signed from this upload. Announce the file again.'],
  SIGNER_REJECTED: [422, 'The external signature service refused the document.'],
  SIGN_TIMEOUT: [422, 'The signature did not finish in time. Nothing was signed.'],
  SERVER_BUSY: [429, 'The server runs as many calls as it accepts. Retry with your own backoff and jitter.'],
  TOO_MANY_PIN_ATTEMPTS: [429, 'Too many failed PINs for this CPF. Retrying makes it worse.'],
  INTERNAL_ERROR: [
    500,
    'The request could not be completed. It is safe to retry with its Idempotency-Key; without one, it may be done twice.',
  ],
  SERVICE_UNAVAILABLE: [
    503,
    'The store does not answer in time. Retry as Retry-After says; what was asked for may have been done.',
  ],
  SIGNER_ERROR: [502, 'The external signature service could not be asked.'],
});
