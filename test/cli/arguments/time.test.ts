import { describe, expect, test } from 'vitest';
import { parseTime } from '../../../cli/arguments/time.ts';

const NOW = Date.UTC(2027, 0, 1, 12);

describe('a moment that an operator writes', () => {
  test.each([
    ['2027-01-31T08:30:00Z', '2027-01-31T08:30:00.000Z'],
    ['2027-01-31T08:30:00-03:00', '2027-01-31T11:30:00.000Z'],
    ['2027-01-31T08:30Z', '2027-01-31T08:30:00.000Z'],
    ['2027-01-31', '2027-01-31T00:00:00.000Z'],
    ['2028-02-29', '2028-02-29T00:00:00.000Z'],
    ['90d', '2027-04-01T12:00:00.000Z'],
    ['0d', '2027-01-01T12:00:00.000Z'],
  ])('%s is %s', (text, moment) => {
    expect(parseTime(text, NOW)).toBe(moment);
  });

  test.each([
    '',
    'soon',
    '5',
    '2027',
    '2027-02-29',
    '2027-13-01',
    '2027-01-31T25:00:00Z',
    '2027-01-31T08:30:00',
    '-1d',
    '1.5d',
  ])('%j is none', (text) => {
    expect(() => parseTime(text, NOW)).toThrow(/is no time\. Write 2027-01-31T00:00:00Z/);
  });
});
