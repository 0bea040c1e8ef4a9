import { expect, test } from 'vitest';
import { batch } from '../../../functions/batch/service.ts';

test('the rate-limit policies have the limits of the specification', () => {
  const limits = Object.entries(batch.rates ?? {}).map(([policy, limit]) => [policy, limit()]);
  expect(Object.fromEntries(limits)).toMatchObject({
    Upload: { limit: 30, windowSeconds: 60 },
    Actions: { limit: 60, windowSeconds: 60 },
    Export: { limit: 10, windowSeconds: 60 },
  });
});
