import { expect, test } from 'vitest';
import { endOfDate, isDate, startOfDate } from '../../../../functions/batch/dashboard/pages/day-range.ts';
import { apiQuery, readFilters } from '../../../../functions/batch/dashboard/sections/jobs/filters.ts';

const isoOf = (ms: number): string => new Date(ms).toISOString();

test.each([
  ['America/Sao_Paulo', '2026-03-02', '2026-03-02T03:00:00.000Z', 24],
  ['Asia/Kolkata', '2026-03-02', '2026-03-01T18:30:00.000Z', 24],
  ['Pacific/Kiritimati', '2026-03-02', '2026-03-01T10:00:00.000Z', 24],
  ['Pacific/Pago_Pago', '2026-03-02', '2026-03-02T11:00:00.000Z', 24],
  ['America/New_York', '2026-03-08', '2026-03-08T05:00:00.000Z', 23],
  ['America/New_York', '2026-11-01', '2026-11-01T04:00:00.000Z', 25],
])('a day in %s begins and ends there: %s', (zone, date, start, hours) => {
  expect(isoOf(startOfDate(zone, date))).toBe(start);
  expect(endOfDate(zone, date) - startOfDate(zone, date)).toBe(hours * 3_600_000);
});

test.each(['2026-02-30', '2026-13-01', '26-1-1', '2026-03-02T00:00', 'today', '0000-00-00'])(
  '%s is no day',
  (text) => expect(isDate(text)).toBe(false),
);

test('filters in the address are read, and empty fields of the form are none', () => {
  const query = {
    status: 'Failed',
    source: '',
    text: ' ação ',
    from: '2026-03-02',
    to: '2026-03-02',
    page: '7',
    done: 'x',
  };
  const filters = readFilters({ query });
  expect([filters.problems, filters.page]).toEqual([{}, 7]);
  expect(filters.filter).toMatchObject({ status: 'Failed', source: undefined, text: 'ação' });
  expect(String(filters.query)).toBe('text=a%C3%A7%C3%A3o&status=Failed&from=2026-03-02&to=2026-03-02');
  expect(Object.fromEntries(apiQuery(filters))).toEqual({
    status: 'Failed',
    text: 'ação',
    from: '2026-03-02T03:00:00.000Z',
    to: '2026-03-03T02:59:59.999Z',
  });
});

test.each([
  [{ status: 'failed' }, { status: 'unknownValue' }],
  [{ status: ['Failed', 'Queued'] }, { status: 'unknownValue' }],
  [{ source: 'constructor' }, { source: 'unknownValue' }],
  [{ text: 'x'.repeat(201) }, { text: 'textTooLong' }],
  [{ from: '2026-02-30' }, { from: 'noDate' }],
  [{ from: '2026-03-03', to: '2026-03-02' }, { to: 'endsBefore' }],
  [{ sort: 'name' }, { sort: 'unknownValue' }],
  [{ error: 'constructor' }, { error: 'unknownValue' }],
  [{ failedFrom: '2026-03-03', failedTo: '2026-03-02' }, { failedTo: 'endsBefore' }],
  [{ sort: 'lastFailed', status: 'Queued' }, { status: 'onlyFailed' }],
])('%j is a problem at its filter', (query, problems) => {
  expect(readFilters({ query: query as Record<string, string> }).problems).toEqual(problems);
});
