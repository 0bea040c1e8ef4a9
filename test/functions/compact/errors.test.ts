import { expect, test } from 'vitest';
import { errors as full } from '../../../functions/batch/errors.ts';
import { errors } from '../../../functions/compact/errors.ts';

const statuses = Object.fromEntries(Object.entries(errors.rows).map(([code, [status]]) => [code, status]));

test('the compact surface answers a missing or wrong key with 401, and one call too many with 429', () => {
  expect(statuses).toMatchObject({
    'auth.misconfigured': 401,
    'auth.invalid-credentials': 401,
    'rate-limited': 429,
  });
});

test('a code means the same on both surfaces of the engine', () => {
  for (const [code, status] of Object.entries(statuses))
    expect([code, full.rows[code]?.[0]]).toEqual([code, status]);
});
