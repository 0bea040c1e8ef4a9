import { expect, test } from 'vitest';
import { withDeadline } from '../../../shared/async/deadline.ts';

const late = () => new Error('late');

test('work that ends in time gives its result or its own failure', async () => {
  expect(await withDeadline(60_000, () => 'done', late)).toBe('done');
  await expect(withDeadline(60_000, () => Promise.reject(new Error('its own')), late)).rejects.toThrow(
    'its own',
  );
});

test('work that does not end in time fails with the given error', async () => {
  await expect(withDeadline(1, () => new Promise(() => undefined), late)).rejects.toThrow('late');
});

test('a deadline longer than a timer can wait is not over at once', async () => {
  const work = () => new Promise((resolve) => setTimeout(() => resolve('done'), 20));
  expect(await withDeadline(Number.POSITIVE_INFINITY, work, late)).toBe('done');
});
