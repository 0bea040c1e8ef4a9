import { expect, test } from 'vitest';
import { formatDate, formatDay, formatTime, formatTimesIn } from '../../../shared/ui/time.ts';
import { timeOf } from '../../../shared/ui/time-element.ts';

const NEW_YEAR = Date.UTC(2027, 0, 1, 1, 30, 5);
const plain = (text: string) => text.replaceAll('\u202f', ' ');

test('a time is that of Brasília, and says its zone', () => {
  expect(plain(formatTime('en', NEW_YEAR))).toBe('Dec 31, 2026, 10:30 PM GMT-3');
  expect(formatTime('pt-BR', NEW_YEAR)).toBe('31/12/2026, 22:30 GMT-3');
});

test('a time of the years with summer time has the offset of its day', () => {
  expect(formatTime('pt-BR', Date.UTC(2018, 11, 31, 12))).toBe('31/12/2018, 10:00 GMT-2');
});

test('a time may be long, have seconds, or be that of another zone', () => {
  expect(formatTime('pt-BR', NEW_YEAR, { date: 'long', time: 'medium' })).toBe(
    '31 de dezembro de 2026 às 22:30:05 GMT-3',
  );
  expect(formatTime('pt-BR', NEW_YEAR, { timeZone: 'America/Manaus' })).toBe('31/12/2026, 21:30 GMT-4');
});

test('an element has the time for programs too', async () => {
  expect(String(await timeOf('pt-BR', NEW_YEAR))).toBe(
    '<time datetime="2027-01-01T01:30:05.000Z">31/12/2026, 22:30 GMT-3</time>',
  );
});

test('a day is that of Brasília, and a date is the one that is written', () => {
  expect(formatDay('en', Date.parse('2027-02-01T02:59:59.999Z'))).toBe('January 31, 2027');
  expect(formatDay('pt-BR', Date.parse('2027-02-01T03:00:00Z'))).toBe('1 de fevereiro de 2027');
  expect(formatDate('pt-BR', '2026-12-31')).toBe('31/12/2026');
});

test.each([
  ['It ended at 2027-01-01T01:30:05.000Z.', 'It ended at 31/12/2026, 22:30:05 GMT-3.'],
  ['from 2027-01-01 01:30:05 UTC on', 'from 31/12/2026, 22:30:05 GMT-3 on'],
  ['2026-99-99T99:99:99Z', '2026-99-99T99:99:99Z'],
  ['2027-01-01T01:30:05+02:00, 2027-01-01', '2027-01-01T01:30:05+02:00, 2027-01-01'],
])('the times of a message for programs are shown in the zone of the page: %s', (text, shown) => {
  expect(formatTimesIn('pt-BR', text)).toBe(shown);
});
