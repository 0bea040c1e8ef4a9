import { describe, expect, test } from 'vitest';
import { readSchedule } from '../../../../infra/runtime/events/schedule-expression.ts';

const at = (text: string) => Date.parse(text.length === 16 ? `${text}:00Z` : text);
const show = (ms: number | undefined) =>
  ms === undefined ? 'never' : new Date(ms).toISOString().slice(0, 16);

/** The next runs after a moment, one after the other. */
function runs(expression: string, after: string, count: number, anchor = after): string[] {
  const next = readSchedule(expression);
  const found: string[] = [];
  let moment: number | undefined = at(after);
  while (found.length < count && moment !== undefined) {
    moment = next(moment, at(anchor));
    found.push(show(moment));
  }
  return found;
}

describe('a rate', () => {
  test.each([
    ['rate(1 minute)', '2026-03-01T10:00', ['2026-03-01T10:01', '2026-03-01T10:02']],
    ['rate(5 minutes)', '2026-03-01T10:02', ['2026-03-01T10:07', '2026-03-01T10:12']],
    ['rate(1 hour)', '2026-03-01T23:30', ['2026-03-02T00:30', '2026-03-02T01:30']],
    ['rate(2 days)', '2026-02-27T10:00', ['2026-03-01T10:00', '2026-03-03T10:00']],
  ])('%s first runs one period after its making', (expression, after, expected) => {
    expect(runs(expression, after, expected.length)).toEqual(expected);
  });

  test('keeps its beat across a restart: it counts from its making, not from the last start', () => {
    expect(runs('rate(1 hour)', '2026-03-05T09:10', 2, '2026-03-01T10:30')).toEqual([
      '2026-03-05T09:30',
      '2026-03-05T10:30',
    ]);
  });

  test('does not run before its first period, even when the clock was set back', () => {
    expect(runs('rate(1 hour)', '2026-03-01T08:00', 1, '2026-03-01T10:30')).toEqual(['2026-03-01T11:30']);
  });

  test.each([
    'rate(0 minutes)',
    'rate(1 minutes)',
    'rate(5 minute)',
    'rate(5 seconds)',
    'rate(1.5 hours)',
    'rate(-1 hours)',
    'rate()',
    'rate(5)',
    'every 5 minutes',
    'at(2026-01-01T00:00:00)',
  ])('%s is refused, as AWS refuses it', (expression) => {
    expect(() => readSchedule(expression)).toThrow(expression);
  });
});

describe('a cron expression', () => {
  test.each([
    // every kind of list, range and step
    ['* * * * ? *', '2026-03-01T23:58', ['2026-03-01T23:59', '2026-03-02T00:00']],
    ['0 12 * * ? *', '2026-03-01T12:00', ['2026-03-02T12:00', '2026-03-03T12:00']],
    ['0/15 * * * ? *', '2026-03-01T10:01', ['2026-03-01T10:15', '2026-03-01T10:30', '2026-03-01T10:45']],
    ['*/20 9 * * ? *', '2026-03-01T09:30', ['2026-03-01T09:40', '2026-03-02T09:00']],
    ['10-30/10 0 1 * ? *', '2026-03-01T00:05', ['2026-03-01T00:10', '2026-03-01T00:20', '2026-03-01T00:30']],
    ['5,55 8-9 * * ? *', '2026-03-01T08:30', ['2026-03-01T08:55', '2026-03-01T09:05']],
    ['0 0 1,15 * ? *', '2026-03-02T00:00', ['2026-03-15T00:00', '2026-04-01T00:00']],
    ['0 0 1,30 * ? *', '2026-02-02T00:00', ['2026-03-01T00:00', '2026-03-30T00:00']],
    ['0 0 2,31 * ? *', '2026-02-02T00:00', ['2026-03-02T00:00', '2026-03-31T00:00']],
    ['0 0 31 * ? *', '2026-03-31T00:00', ['2026-05-31T00:00', '2026-07-31T00:00']],
    ['0 0 29 2 ? *', '2026-03-01T00:00', ['2028-02-29T00:00', '2032-02-29T00:00']],
    ['0 0 29 2 ? *', '2096-03-01T00:00', ['2104-02-29T00:00']], // 2100 is no leap year
    // names, in any case
    ['0 18 ? * MON-FRI *', '2026-03-06T18:00', ['2026-03-09T18:00', '2026-03-10T18:00']],
    ['0 18 ? * 2-6 *', '2026-03-06T18:00', ['2026-03-09T18:00', '2026-03-10T18:00']],
    ['0 0 1 jan,Jul ? *', '2026-02-01T00:00', ['2026-07-01T00:00', '2027-01-01T00:00']],
    ['0 0 ? * SUN,2 *', '2026-03-06T00:00', ['2026-03-08T00:00', '2026-03-09T00:00']],
    // last days
    ['0 0 L * ? *', '2026-01-31T00:00', ['2026-02-28T00:00', '2026-03-31T00:00', '2026-04-30T00:00']],
    ['0 0 15,L 2 ? *', '2028-02-01T00:00', ['2028-02-15T00:00', '2028-02-29T00:00']],
    ['0 10 ? * 6L 2026-2027', '2026-03-27T10:00', ['2026-04-24T10:00', '2026-05-29T10:00']],
    ['0 10 ? * FRIL *', '2026-03-27T10:00', ['2026-04-24T10:00']],
    ['0 0 ? * L *', '2026-03-01T00:00', ['2026-03-07T00:00', '2026-03-14T00:00']],
    // the nearest working day: Saturday goes back, Sunday goes on, neither leaves the month
    ['0 0 3W * ? *', '2026-04-30T00:00', ['2026-05-04T00:00', '2026-06-03T00:00', '2026-07-03T00:00']],
    ['0 0 14W 3 ? *', '2026-03-01T00:00', ['2026-03-13T00:00']],
    ['0 0 1W 8 ? *', '2026-07-01T00:00', ['2026-08-03T00:00']],
    ['0 0 31W 5 ? *', '2026-05-01T00:00', ['2026-05-29T00:00']],
    ['0 0 31W * ? *', '2026-02-01T00:00', ['2026-03-31T00:00', '2026-05-29T00:00']],
    // the nth weekday
    ['0 0 ? * 3#2 *', '2026-03-01T00:00', ['2026-03-10T00:00', '2026-04-14T00:00']],
    ['0 0 ? * TUE#2 *', '2026-03-10T00:00', ['2026-04-14T00:00']],
    ['0 0 ? * 1#5 *', '2026-03-01T00:00', ['2026-03-29T00:00', '2026-05-31T00:00']],
    // years
    ['0 0 1 1 ? 2028/4', '2026-01-01T00:00', ['2028-01-01T00:00', '2032-01-01T00:00']],
    ['0 0 1 1 ? 2026', '2026-01-01T00:00', ['never']],
    ['0 0 1 1 ? 2024,2025', '2026-01-01T00:00', ['never']],
    ['0 0 30 2 ? *', '2026-01-01T00:00', ['never']],
    // seconds do not count, and a moment that is itself a run is not its own next
    ['30 10 * * ? *', '2026-03-01T10:29:59.999Z', ['2026-03-01T10:30']],
    ['30 10 * * ? *', '2026-03-01T10:30:00.001Z', ['2026-03-02T10:30']],
  ])('%s after %s', (fields, after, expected) => {
    expect(runs(`cron(${fields})`, after, expected.length)).toEqual(expected);
  });

  test.each([
    ['* * * * *', 'six fields'],
    ['* * * * ? * *', 'six fields'],
    ['* * * * * *', 'must be "?"'],
    ['* * ? * ? *', 'must be "?"'],
    ['60 * * * ? *', 'minutes'],
    ['* 24 * * ? *', 'hours'],
    ['* * 0 * ? *', 'day-of-month'],
    ['* * 32W * ? *', 'day-of-month'],
    ['* * * 13 ? *', 'month'],
    ['? * * * ? *', 'minutes'],
    ['* * ? * 0 *', 'day-of-week'],
    ['* * ? * 8 *', 'day-of-week'],
    ['* * ? * MON#6 *', 'day-of-week'],
    ['* * ? * MOON *', 'day-of-week'],
    ['* * * * ? 1969', 'year'],
    ['* * * * ? 2200', 'year'],
    ['*/0 * * * ? *', 'step'],
    ['1/2/3 * * * ? *', 'step'],
    ['30-10 * * * ? *', 'larger'],
    ['1-2-3 * * * ? *', 'range'],
    [', * * * ? *', 'minutes'],
  ])('%s is refused with a word on why', (fields, why) => {
    expect(() => readSchedule(`cron(${fields})`)).toThrow(why);
  });
});
