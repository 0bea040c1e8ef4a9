import { expect, test } from 'vitest';
import { errors } from '../../../functions/session/errors.ts';

const statuses = Object.fromEntries(Object.entries(errors.rows).map(([code, [status]]) => [code, status]));

test('the error table of the session server holds every code of the specification, with its status', () => {
  expect(statuses).toEqual({
    INVALID_REQUEST: [400, 408, 415],
    INVALID_DOCUMENT: 400,
    UNAUTHORIZED: 401,
    SESSION_EXPIRED: 401,
    INVALID_PIN: 401,
    CERT_NOT_FOUND: 404,
    DOCUMENT_NOT_FOUND: 404,
    ENDPOINT_NOT_FOUND: 404,
    DOCUMENT_NOT_READY: 409,
    DOCUMENT_TOO_LARGE: 413,
    CERT_NOT_ACTIVE: 422,
    DOCUMENT_UNAVAILABLE: 422,
    PIN_NOT_AVAILABLE: 422,
    WORKSTATION_OFFLINE: 422,
    CERT_DATA_UNAVAILABLE: 422,
    CERT_INCOMPLETE_IDENTITY: 422,
    UNSUPPORTED_DOCUMENT: 422,
    SIGNER_REJECTED: 422,
    SIGN_TIMEOUT: 422,
    SERVER_BUSY: 429,
    TOO_MANY_PIN_ATTEMPTS: 429,
    INTERNAL_ERROR: 500,
    SIGNER_ERROR: 502,
    SERVICE_UNAVAILABLE: 503,
    // Beside the specification: documents that are put into the store by a link.
    UPLOAD_NOT_FOUND: 404,
    UPLOAD_INCOMPLETE: 422,
    UPLOAD_ALREADY_USED: 422,
  });
});
