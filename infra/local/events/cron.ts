import { Cron } from 'croner';

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
export function readCron(text: string): (afterMs: number) => number | undefined {
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
