import { dateIn, parsePaymentDate } from '../../jobs/domain/cnab240/dates.ts';

const DAY_MS = 86_400_000;
// Zones differ from UTC by up to 14 hours, in quarters of an hour.
const QUARTER_MS = 900_000;
const MAX_OFFSET_MS = 15 * 3_600_000;

/**
 * When a day begins in a time zone. Undefined where the text is no date.
 * @example startOfDate('2026-03-02', 'America/Sao_Paulo') // 2026-03-02T03:00:00Z
 */
export function startOfDate(date: string, timeZone: string): number | undefined {
  if (parsePaymentDate(date.replace(/^(\d{4})-(\d{2})-(\d{2})$/, '$3$2$1')) === null) return undefined;
  const utcMs = Date.parse(`${date}T00:00:00Z`);
  let [beforeMs, inMs] = [utcMs - MAX_OFFSET_MS, utcMs + MAX_OFFSET_MS];
  while (inMs - beforeMs > QUARTER_MS) {
    const middleMs = beforeMs + Math.floor((inMs - beforeMs) / 2 / QUARTER_MS) * QUARTER_MS;
    if (dateIn(timeZone, middleMs) < date) beforeMs = middleMs;
    else inMs = middleMs;
  }
  return inMs;
}

/** When the day after begins. A day has 23 to 25 hours. */
export const endOfDate = (date: string, timeZone: string): number | undefined => {
  const startMs = startOfDate(date, timeZone);
  if (startMs === undefined) return undefined;
  return startOfDate(new Date(Date.parse(`${date}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10), timeZone);
};
