import { afterEach, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { inAnyCase, timeRange } from '../../../../shared/http/request/list-query.ts';

const Range = z.object(timeRange);
const fromOf = (from: string): string => new Date(Range.parse({ from }).from ?? 0).toISOString();
const toOf = (to: string): string => new Date(Range.parse({ to }).to ?? 0).toISOString();

afterEach(() => void vi.unstubAllEnvs());

test.each([
  ['2026-03-02T12:00:00', '2026-03-02T12:00:00.000Z'],
  ['2026-03-02T12:00', '2026-03-02T12:00:00.000Z'],
  ['2026-03-02T12:00:00.5', '2026-03-02T12:00:00.500Z'],
  ['2026-03-02T12:00:00Z', '2026-03-02T12:00:00.000Z'],
  ['2026-03-02T12:00:00-03:00', '2026-03-02T15:00:00.000Z'],
  ['2026-03-02', '2026-03-02T00:00:00.000Z'],
])('%s is %s, in whatever zone the server is', (text, expected) => {
  vi.stubEnv('TZ', 'America/Sao_Paulo');
  expect(new Date(2026, 2, 2).getTimezoneOffset()).toBe(180);
  expect(fromOf(text)).toBe(expected);
});

test('a range ends after a time without a zone, and after the whole of a day', () => {
  expect(toOf('2026-03-02T12:00:00')).toBe('2026-03-02T12:00:00.001Z');
  expect(toOf('2026-03-02')).toBe('2026-03-03T00:00:00.000Z');
});

test.each(['2026-03-02 12:00:00', '2026-02-30T00:00:00', '02/03/2026', '1772452800', ''])(
  '%s is no time',
  (from) => {
    expect(Range.safeParse({ from }).success).toBe(false);
  },
);

test('a name is known in any case, and another is not', () => {
  const Status = inAnyCase(z.enum(['Completed', 'AwaitingSigner'])).optional();
  expect(['completed', 'AWAITINGSIGNER', undefined].map((text) => Status.parse(text))).toEqual([
    'Completed',
    'AwaitingSigner',
    undefined,
  ]);
  for (const other of ['Complete', '', 'constructor', ['Completed'], 7])
    expect(Status.safeParse(other).success).toBe(false);
});
