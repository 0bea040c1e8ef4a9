import { DAY_OF_MONTH, DAY_OF_WEEK, parseField, parseValue } from './cron-field.ts';

/** Whether a date, at midnight UTC, is one of the days that the two day fields ask for. */
export type DayRule = (year: number, month: number, day: number) => boolean;

const SATURDAY = 7;

const lastDayOf = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

/** 1 is Sunday, as AWS counts. */
const weekdayOf = (year: number, month: number, day: number): number =>
  new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 1;

/** AWS takes a rule for the day of the month or for the day of the week: the other one must be `?`. */
export function parseDays(dayOfMonth: string, dayOfWeek: string): DayRule {
  if ((dayOfMonth === '?') === (dayOfWeek === '?')) {
    throw new Error('exactly one of day-of-month and day-of-week must be "?"');
  }
  const text = dayOfWeek === '?' ? dayOfMonth : dayOfWeek;
  const parse = dayOfWeek === '?' ? dayOfMonthRule : dayOfWeekRule;
  const rules = text.split(',').map(parse);
  return (year, month, day) => rules.some((rule) => rule(year, month, day));
}

function dayOfMonthRule(text: string): DayRule {
  if (text === 'L') return (year, month, day) => day === lastDayOf(year, month);
  const [, nearest] = /^(\d+)W$/.exec(text) ?? [];
  if (nearest !== undefined) {
    const wanted = parseValue(nearest, DAY_OF_MONTH);
    return (year, month, day) => day === nearestWorkday(year, month, wanted);
  }
  const days = parseField(text, DAY_OF_MONTH);
  return (_year, _month, day) => days.has(day);
}

function dayOfWeekRule(text: string): DayRule {
  if (text === 'L') return (year, month, day) => weekdayOf(year, month, day) === SATURDAY;
  const [, last] = /^(\w+)L$/.exec(text) ?? [];
  if (last !== undefined) {
    const weekday = parseValue(last, DAY_OF_WEEK);
    return (year, month, day) => weekdayOf(year, month, day) === weekday && day + 7 > lastDayOf(year, month);
  }
  const [, name, nth] = /^(\w+)#([1-5])$/.exec(text) ?? [];
  if (name !== undefined) {
    const weekday = parseValue(name, DAY_OF_WEEK);
    return (year, month, day) =>
      weekdayOf(year, month, day) === weekday && Math.ceil(day / 7) === Number(nth);
  }
  const weekdays = parseField(text, DAY_OF_WEEK);
  return (year, month, day) => weekdays.has(weekdayOf(year, month, day));
}

/** Monday to Friday, nearest to the wanted day, and never in another month. None in a month too short. */
function nearestWorkday(year: number, month: number, wanted: number): number | undefined {
  const last = lastDayOf(year, month);
  if (wanted > last) return undefined;
  const weekday = weekdayOf(year, month, wanted);
  if (weekday === SATURDAY) return wanted > 1 ? wanted - 1 : wanted + 2;
  if (weekday === 1) return wanted < last ? wanted + 1 : wanted - 2;
  return wanted;
}
