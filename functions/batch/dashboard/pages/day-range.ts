import { dateIn } from '../../jobs/domain/cnab240/dates.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
// No place is further from UTC.
const MAX_OFFSET_MS = 15 * HOUR_MS;
const MINUTE_MS = 60_000;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Whether a text is a day of the calendar, as a date field sends it. */
export const isDate = (text: string): boolean =>
  DATE.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  new Date(text).toISOString().startsWith(text) &&
  text > '0001-01-01';

/**
 * When a day begins in a time zone. Offsets are not whole hours everywhere, so the minute is looked for.
 * @example startOfDate('America/Sao_Paulo', '2026-03-02') // 2026-03-02T03:00:00Z
 */
export function startOfDate(timeZone: string, date: string): number {
  let [before, after] = [Date.parse(date) - MAX_OFFSET_MS, Date.parse(date) + MAX_OFFSET_MS];
  while (after - before > MINUTE_MS) {
    const middle = before + Math.floor((after - before) / 2 / MINUTE_MS) * MINUTE_MS;
    if (dateIn(timeZone, middle) < date) before = middle;
    else after = middle;
  }
  return after;
}

/** When the day after it begins. */
export const endOfDate = (timeZone: string, date: string): number =>
  startOfDate(timeZone, new Date(Date.parse(date) + DAY_MS).toISOString().slice(0, 10));
