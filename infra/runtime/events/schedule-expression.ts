import { Cron } from 'croner';

/**
 * When a schedule runs next, after a moment. Rates count from `anchorMs`, as AWS counts them from
 * the making of the rule; cron expressions follow the calendar.
 */
export type NextRun = (afterMs: number, anchorMs: number) => number | undefined;

/**
 * Reads `rate(…)` or `cron(…)`. Throws an Error that says what AWS would refuse.
 * @example readSchedule('rate(5 minutes)')(Date.now(), startedAtMs)
 */
export function readSchedule(expression: string): NextRun {
  const [, kind, inside] = /^(rate|cron)\((.*)\)$/.exec(expression.trim()) ?? [];
  if (kind === undefined || inside === undefined) {
    throw new Error(`"${expression}" is neither rate(…) nor cron(…)`);
  }
  if (kind === 'rate') {
    const periodMs = ratePeriodMs(inside);
    if (periodMs === undefined) {
      throw new Error(`"${expression}": a rate is like rate(1 minute), rate(5 hours) or rate(2 days)`);
    }
    return (afterMs, anchorMs) => nextOfRate(periodMs, anchorMs, afterMs);
  }
  try {
    return readCron(inside);
  } catch (error) {
    throw new Error(`"${expression}": ${(error as Error).message}`);
  }
}

// In AWS's order. croner does not hold every value to these bounds.
const FIELDS = [
  { name: 'minutes', min: 0, max: 59 },
  { name: 'hours', min: 0, max: 23 },
  { name: 'day-of-month', min: 1, max: 31 },
  { name: 'month', min: 1, max: 12 },
  { name: 'day-of-week', min: 1, max: 7 },
  { name: 'year', min: 1970, max: 2199 },
];
const DAY_OF_MONTH = 2;
const DAY_OF_WEEK = 4;

/**
 * Reads a cron expression of AWS: six fields, UTC, Sunday is 1. Gives the first run after a time, undefined when there
 * is none left. Throws an Error that names the field where AWS would refuse the expression.
 * @example readCron('0/15 8-17 ? * MON-FRI *')(Date.now())
 */
function readCron(text: string): (afterMs: number) => number | undefined {
  const fields = text.trim().split(/\s+/);
  if (fields.length !== FIELDS.length)
    throw new Error(`a cron expression has six fields, this one ${fields.length}`);
  if ((fields[DAY_OF_MONTH] === '?') === (fields[DAY_OF_WEEK] === '?'))
    throw new Error('exactly one of day-of-month and day-of-week must be "?"');
  // Each field alone first, so that an error names its field.
  for (const [at, { name, ...bounds }] of FIELDS.entries()) {
    try {
      checkBounds(fields[at] ?? '', bounds);
      cronOf(FIELDS.map((_, other) => (other === at && fields[at]) || '*'));
    } catch (error) {
      throw new Error(`${name} "${fields[at]}": ${(error as Error).message}`);
    }
  }
  const cron = cronOf(fields);
  return (afterMs) => nextRun(cron, afterMs);
}

// croner 11.0.0 goes from February to "30 February", which is 2 March, and misses the first of March of `1,30`. A
// second search begins with the next month.
function nextRun(cron: Cron, afterMs: number): number | undefined {
  const after = new Date(afterMs);
  const nextMonthMs = Date.UTC(after.getUTCFullYear(), after.getUTCMonth() + 1, 1);
  const runs = [after, new Date(nextMonthMs - 1)].flatMap((time) => cron.nextRun(time)?.getTime() ?? []);
  return runs.length > 0 ? Math.min(...runs) : undefined;
}

function checkBounds(field: string, { min, max }: { readonly min: number; readonly max: number }): void {
  const values = field.replace(/[/#]\d+/g, '').match(/\d+/g) ?? [];
  if (values.some((value) => Number(value) < min || Number(value) > max))
    throw new Error(`it goes from ${min} to ${max}`);
}

// croner's form begins with seconds, has no "?", and knows the last Saturday but not "L" for every Saturday.
function cronOf(fields: readonly string[]): Cron {
  const translated = fields.map((field, at) => {
    if (field === '?' && (at === DAY_OF_MONTH || at === DAY_OF_WEEK)) return '*';
    if (!/^[\w*,/#-]+$/.test(field)) throw new Error('only letters, digits and * , - / # are allowed');
    return at === DAY_OF_WEEK ? field.replace(/(?<=^|,)L(?=,|$)/g, '7') : field;
  });
  const options = { mode: '7-part', timezone: 'UTC', alternativeWeekdays: true, sloppyRanges: true } as const;
  return new Cron(['0', ...translated].join(' '), options);
}

const UNIT_MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;
type Unit = keyof typeof UNIT_MS;

const isUnit = (word: string): word is Unit => word in UNIT_MS;

/**
 * The period of an AWS rate expression, in milliseconds, or undefined where AWS would refuse it.
 * @example ratePeriodMs('5 minutes') // 300000
 */
function ratePeriodMs(text: string): number | undefined {
  const [, digits, word] = /^(\d+) ([a-z]+)$/.exec(text.trim()) ?? [];
  const count = Number(digits);
  if (word === undefined || !Number.isSafeInteger(count) || count < 1) return undefined;
  // AWS wants the grammar right: 1 minute, 5 minutes, and neither 1 minutes nor 5 minute.
  const unit = count === 1 ? word : word.replace(/s$/, '');
  if (!isUnit(unit) || (count > 1 && unit === word)) return undefined;
  return count * UNIT_MS[unit];
}

/**
 * The first time after `afterMs` that lies a whole number of periods from `anchorMs`.
 * @example nextOfRate(60_000, 0, 90_000) // 120000
 */
function nextOfRate(periodMs: number, anchorMs: number, afterMs: number): number {
  const periodsPassed = Math.floor((afterMs - anchorMs) / periodMs);
  return anchorMs + Math.max(1, periodsPassed + 1) * periodMs;
}
