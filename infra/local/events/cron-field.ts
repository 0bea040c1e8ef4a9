/** The values that one field of a cron expression admits. */
export type Field = ReadonlySet<number>;

export type FieldShape = {
  name: string;
  min: number;
  max: number;
  /** Names by their value minus `min`: JAN is 1, SUN is 1. */
  names?: readonly string[];
};

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

export const MINUTE: FieldShape = { name: 'minutes', min: 0, max: 59 };
export const HOUR: FieldShape = { name: 'hours', min: 0, max: 23 };
export const DAY_OF_MONTH: FieldShape = { name: 'day-of-month', min: 1, max: 31 };
export const MONTH: FieldShape = { name: 'month', min: 1, max: 12, names: MONTHS };
export const DAY_OF_WEEK: FieldShape = { name: 'day-of-week', min: 1, max: 7, names: WEEKDAYS };
export const YEAR: FieldShape = { name: 'year', min: 1970, max: 2199 };

/** One value: a number within the field's bounds, or one of its names. */
export function parseValue(text: string, shape: FieldShape): number {
  const named = shape.names?.indexOf(text.toUpperCase()) ?? -1;
  const value = named >= 0 ? named + shape.min : /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= shape.min && value <= shape.max)) {
    throw new Error(`"${text}" is no ${shape.name}: it goes from ${shape.min} to ${shape.max}`);
  }
  return value;
}

/** Lists, ranges, steps and `*`: what every field admits. `L`, `W`, `#` and `?` belong to the day fields. */
export function parseField(text: string, shape: FieldShape): Field {
  return new Set(text.split(',').flatMap((part) => parsePart(part, shape)));
}

function parsePart(part: string, shape: FieldShape): number[] {
  const [span = '', stepText, ...rest] = part.split('/');
  if (rest.length > 0) throw new Error(`"${part}" has more than one step`);
  const step = stepText === undefined ? 1 : Number(stepText);
  if (!Number.isSafeInteger(step) || step < 1) throw new Error(`"${part}" has no step of 1 or more`);
  const [from, to] = parseSpan(span, shape, stepText !== undefined);
  const values: number[] = [];
  for (let value = from; value <= to; value += step) values.push(value);
  return values;
}

function parseSpan(span: string, shape: FieldShape, stepped: boolean): [from: number, to: number] {
  if (span === '*') return [shape.min, shape.max];
  const [first = '', last, ...rest] = span.split('-');
  if (rest.length > 0) throw new Error(`"${span}" is no range`);
  const from = parseValue(first, shape);
  // A single value with a step means "from there on": 5/15 is 5, 20, 35, 50.
  const to = last === undefined ? (stepped ? shape.max : from) : parseValue(last, shape);
  if (to < from) throw new Error(`"${span}" runs backwards`);
  return [from, to];
}
