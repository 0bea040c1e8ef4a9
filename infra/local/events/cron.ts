import { type DayRule, parseDays } from './cron-day.ts';
import { type Field, HOUR, MINUTE, MONTH, parseField, YEAR } from './cron-field.ts';

/** A cron expression as AWS reads it: six fields, UTC, down to the minute. */
export type Cron = { minutes: Field; hours: Field; isDay: DayRule; months: Field; years: Field };

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/**
 * Reads the six fields. Throws an Error that names the field where AWS would refuse the expression.
 * @example parseCron('0/15 8-17 ? * MON-FRI *')
 */
export function parseCron(text: string): Cron {
  const fields = text.trim().split(/\s+/);
  const [minutes, hours, dayOfMonth, months, dayOfWeek, years] = fields;
  if (
    fields.length !== 6 ||
    minutes === undefined ||
    hours === undefined ||
    dayOfMonth === undefined ||
    months === undefined ||
    dayOfWeek === undefined ||
    years === undefined
  ) {
    throw new Error(`a cron expression has six fields, this one ${fields.length}`);
  }
  return {
    minutes: parseField(minutes, MINUTE),
    hours: parseField(hours, HOUR),
    isDay: parseDays(dayOfMonth, dayOfWeek),
    months: parseField(months, MONTH),
    years: parseField(years, YEAR),
  };
}

/**
 * The first whole minute after `afterMs` that the expression names; undefined when there is none left.
 * @example nextOfCron(parseCron('0 12 * * ? *'), Date.now())
 */
export function nextOfCron(cron: Cron, afterMs: number): number | undefined {
  const firstMs = Math.floor(afterMs / MINUTE_MS + 1) * MINUTE_MS;
  const firstDayMs = Math.floor(firstMs / DAY_MS) * DAY_MS;
  const endMs = Date.UTC(Math.max(...cron.years) + 1, 0, 1);
  for (let dayMs = firstDayMs; dayMs < endMs; dayMs += DAY_MS) {
    if (!runsOnDay(cron, new Date(dayMs))) continue;
    const at = firstMinuteOfDay(cron, dayMs, firstMs);
    if (at !== undefined) return at;
  }
  return undefined;
}

function runsOnDay(cron: Cron, date: Date): boolean {
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
  return cron.years.has(year) && cron.months.has(month) && cron.isDay(year, month, day);
}

function firstMinuteOfDay(cron: Cron, dayMs: number, firstMs: number): number | undefined {
  const from = Math.max(0, (firstMs - dayMs) / MINUTE_MS);
  for (let minute = from; minute < DAY_MS / MINUTE_MS; minute++) {
    if (cron.hours.has(Math.floor(minute / 60)) && cron.minutes.has(minute % 60)) {
      return dayMs + minute * MINUTE_MS;
    }
  }
  return undefined;
}
