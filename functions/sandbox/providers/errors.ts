import { errorTable } from '../../../shared/errors/errors.ts';

/** The vocabulary of OAuth 2.0 (RFC 6749 and RFC 6750). A code without a status only goes back in the redirect. */
export const providerErrors = errorTable({
  invalid_request: [[400, 413, 415], 'The request is malformed.'],
  invalid_client: [401, 'The client is not known here, or its secret is another.'],
  invalid_grant: [400, 'The code is unknown, used, too old, or was given to somebody else.'],
  unsupported_grant_type: [400, 'This kind of grant is not given here.'],
  invalid_token: [401, 'The token is unknown, used or expired.'],
  insufficient_scope: [403, 'The token does not allow this.'],
  unsupported_response_type: [null, 'Only the response type code is given.'],
  invalid_scope: [null, 'The scope is not one of those that are given here.'],
  access_denied: [null, 'The holder did not authorize it.'],
  not_found: [404, 'There is nothing at this path.'],
  slow_down: [429, 'Too many requests.'],
  temporarily_unavailable: [503, 'The provider does not answer.'],
  server_error: [500, 'The request could not be completed.'],
});
