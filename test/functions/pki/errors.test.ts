import { expect, test } from 'vitest';
import { errors } from '../../../functions/pki/errors.ts';

const statuses = Object.fromEntries(Object.entries(errors.rows).map(([code, [status]]) => [code, status]));

test('every code of the PKI core that the specification names is answered with 422', () => {
  expect(statuses).toMatchObject({
    DocumentNotFound: 422,
    SecurityContextNotFound: 422,
    SignatureSessionNotFound: 422,
    BadSignatureSessionOperation: 422,
    BackgroundProcessing: 422,
    SignatureSessionTokenRequired: 422,
    BadSignatureSessionToken: 422,
    ExpiredSignatureSessionToken: 422,
  });
});
