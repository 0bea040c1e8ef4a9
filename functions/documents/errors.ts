import { errorTable } from '../../shared/http/errors.ts';

export const errors = errorTable({
  OrganizationNotFound: [404, 'No organization by this id is open to this key.'],
  MaxWebhooksLimitReached: [422, 'The organization has as many webhooks as it may have.'],
  OperationNotSupportedInPersonalOrganizations: [422, 'A personal organization cannot do this.'],
  OrganizationRequired: [
    422,
    'No organization is registered for this application. An operator registers one: npm run admin -- apps register.',
  ],
  UploadEmpty: [422, 'The upload has no file, or the file is empty.'],

  InvalidRequest: [[400, 413, 415], 'The request is malformed.'],
  Unauthorized: [401, 'The API key is missing or invalid.'],
  Forbidden: [403, 'The key is valid, but its application lacks permission for this operation.'],
  EndpointNotFound: [404, 'No operation answers this method and path.'],
  TooManyRequests: [429, 'Too many requests. Retry later.'],
  UnexpectedError: [500, 'The request could not be completed. It is safe to retry.'],
});
