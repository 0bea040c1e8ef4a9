import { errorTable } from '../../shared/http/errors.ts';

export const errors = errorTable({
  DocumentNotFound: [422, 'No document by this id.'],
  SecurityContextNotFound: [422, 'No security context by this id.'],
  SignatureSessionNotFound: [422, 'No signature session by this id.'],
  BadSignatureSessionOperation: [
    422,
    'The operation is not valid in the current status of the session or document.',
  ],
  BackgroundProcessing: [422, 'The resource is being processed in the background. Ask again.'],
  SignatureSessionTokenRequired: [422, 'Send the session token in X-Signature-Session-Token.'],
  BadSignatureSessionToken: [422, 'The signature session token is not valid.'],
  ExpiredSignatureSessionToken: [422, 'The signature session token has expired.'],

  InvalidRequest: [[400, 413, 415], 'The request is malformed.'],
  Unauthorized: [401, 'The API key is missing or invalid.'],
  Forbidden: [403, 'The key is valid, but its application lacks permission for this operation.'],
  EndpointNotFound: [404, 'No operation answers this method and path.'],
  TooManyRequests: [429, 'Too many requests. Retry later.'],
  UnexpectedError: [500, 'Unexpected error. Give the exception code to support.'],
});
