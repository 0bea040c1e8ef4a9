import { expect, test } from 'vitest';
import { errors } from '../../../functions/documents/errors.ts';

const statuses = Object.fromEntries(Object.entries(errors.rows).map(([code, [status]]) => [code, status]));

test('the document platform answers what it refuses with 422, and what is not there with 404', () => {
  expect(statuses).toMatchObject({
    MaxWebhooksLimitReached: 422,
    OperationNotSupportedInPersonalOrganizations: 422,
    UploadEmpty: 422,
    OrganizationNotFound: 404,
    OrganizationRequired: 422,
    EndpointNotFound: 404,
  });
});

test('the codes that every operation may answer carry the statuses of HTTP', () => {
  expect(statuses).toMatchObject({
    InvalidRequest: [400, 408, 413, 415],
    Unauthorized: 401,
    Forbidden: 403,
    TooManyRequests: 429,
    UnexpectedError: 500,
  });
});
