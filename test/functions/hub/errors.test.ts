import { expect, test } from 'vitest';
import { errors } from '../../../functions/hub/errors.ts';

const statuses = Object.fromEntries(Object.entries(errors.rows).map(([code, [status]]) => [code, status]));

test('every code of the hub that the specification names is answered with 422', () => {
  expect(statuses).toMatchObject({
    InvalidRedirectUri: 422,
    UnauthorizedRedirectUri: 422,
    IdentifierRequiredToDiscover: 422,
    ServiceNotFound: 422,
    DigestAlgorithmNameOrOidIsRequired: 422,
    InvalidDigestAlgorithm: 422,
    SessionInvalidOrAlreadyUsed: 422,
    SessionExpired: 422,
  });
});
