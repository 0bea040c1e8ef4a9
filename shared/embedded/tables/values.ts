import { invalid } from './errors.ts';

/** An attribute as DynamoDB's JSON has it: binary values are base64. */
export type Value = { readonly [Type in ValueType]?: unknown };
export type Item = Readonly<Record<string, Value>>;

type ValueType = 'S' | 'N' | 'B' | 'BOOL' | 'NULL' | 'M' | 'L' | 'SS' | 'NS' | 'BS';

// DynamoDB counts one byte for each element of a map or list, and three for the map or list itself.
const NESTED_BYTES = 3;

export const MAX_ITEM_BYTES = 400 * 1_024;
const MAX_HASH_KEY_BYTES = 2_048;
const MAX_RANGE_KEY_BYTES = 1_024;
const MAX_NESTING = 32;
const MAX_DIGITS = 38;

/** The type of a value and its content. @example typed({ S: 'a' }) // ['S', 'a'] */
export function typed(value: Value): [ValueType, unknown] {
  for (const type in value) return [type as ValueType, value[type as ValueType]];
  throw invalid('Supplied AttributeValue is empty, must contain exactly one of the supported datatypes');
}

/** The size of an item as DynamoDB counts it: names and values. */
export function itemBytes(item: Item): number {
  let bytes = 0;
  for (const name in item) bytes += Buffer.byteLength(name) + valueBytes(item[name] as Value);
  return bytes;
}

// A character of a text has at most so many bytes.
const MAX_CHARACTER_BYTES = 3;

/** Whether an item whose JSON has this length could be larger than a limit. Nearly none could, and those are counted. */
export const mayExceed = (jsonLength: number, limit: number): boolean =>
  jsonLength * MAX_CHARACTER_BYTES > limit;

export function valueBytes(value: Value): number {
  const [type, content] = typed(value);
  switch (type) {
    case 'S':
      return Buffer.byteLength(content as string);
    case 'N':
      return numberBytes(content as string);
    case 'B':
      return Buffer.byteLength(content as string, 'base64');
    case 'SS':
      return sum(content as string[], Buffer.byteLength);
    case 'NS':
      return sum(content as string[], numberBytes);
    case 'BS':
      return sum(content as string[], (each) => Buffer.byteLength(each, 'base64'));
    case 'L':
      return NESTED_BYTES + sum(content as Value[], (each) => 1 + valueBytes(each));
    case 'M':
      return NESTED_BYTES + Object.keys(content as Item).length + itemBytes(content as Item);
    default:
      return 1;
  }
}

const sum = <T>(of: readonly T[], bytes: (each: T) => number): number =>
  of.reduce((total, each) => total + bytes(each), 0);

// About one byte for two significant digits, and one more.
const numberBytes = (text: string): number =>
  Math.ceil(text.replace(/^[-+]?0*\.?0*|[eE].*$|\./g, '').length / 2) + 1;

/** Refuses a value that DynamoDB would not take; numbers come back in their shortest form. */
export function checked(value: Value, depth = 0): Value {
  if (depth > MAX_NESTING) throw invalid('Nesting Levels have exceeded supported limits');
  const [type, content] = typed(value);
  for (const other in value)
    if (other !== type)
      throw invalid('Supplied AttributeValue has more than one datatypes set, must contain exactly one');
  switch (type) {
    case 'S':
      return text(content, value);
    case 'B':
      return content instanceof Uint8Array ? { B: inBase64(content) } : text(content, value);
    case 'N':
      return { N: canonicalNumber(content as string) };
    case 'BOOL':
    case 'NULL':
      return value;
    case 'M':
      return { M: checkedItem(content as Item, depth + 1) };
    case 'L':
      return { L: (content as Value[]).map((each) => checked(each, depth + 1)) };
    case 'NS':
      return { NS: members((content as string[]).map(canonicalNumber)) };
    case 'SS':
      return { SS: members(content as string[]) };
    case 'BS':
      return { BS: members((content as (string | Uint8Array)[]).map(inBase64)) };
    default:
      throw invalid(`Supplied AttributeValue has the unknown datatype ${type}`);
  }
}

export const checkedItem = (item: Item, depth = 0): Item => {
  const result: Record<string, Value> = {};
  for (const name in item) result[name] = checked(item[name] as Value, depth);
  return result;
};

const inBase64 = (bytes: string | Uint8Array): string =>
  typeof bytes === 'string'
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');

/** Whether an item with this JSON may have binary values. Nearly none has, and its answer need not be searched for them. */
export const mayHaveBytes = (text: string): boolean => text.includes('"B":') || text.includes('"BS":');

/** Has the binary values of an answer as bytes, as the SDK gives them. */
export function withBytes<T>(answer: T): T {
  const fields = answer as Record<string, unknown>;
  for (const name in fields) {
    const content = fields[name];
    if (name === 'B' && typeof content === 'string') fields[name] = Buffer.from(content, 'base64');
    else if (typeof content !== 'object' || content === null || content instanceof Uint8Array) continue;
    else if (name === 'BS' && Array.isArray(content))
      fields[name] = content.map((each) => Buffer.from(each, 'base64'));
    else withBytes(content);
  }
  return answer;
}

function text(content: unknown, value: Value): Value {
  if (typeof content !== 'string') throw invalid('One or more parameter values were not valid: not a text');
  return value;
}

function members(of: readonly string[]): readonly string[] {
  if (of.length === 0) throw invalid('One or more parameter values were invalid: An set may not be empty');
  if (new Set(of).size < of.length)
    throw invalid('One or more parameter values were invalid: Input collection contains duplicates');
  return of;
}

/** A key attribute has the type that the table declares, and is not empty. */
export function checkKeyValue(name: string, value: Value | undefined, type: string, isHash: boolean): void {
  if (!value) throw invalid(`One or more parameter values were invalid: Missing the key ${name} in the item`);
  const [found, content] = typed(value);
  if (found !== type)
    throw invalid(
      `One or more parameter values were invalid: Type mismatch for key ${name} expected: ${type} actual: ${found}`,
    );
  if (content === '')
    throw invalid(
      `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: ${name}`,
    );
  const limit = isHash ? MAX_HASH_KEY_BYTES : MAX_RANGE_KEY_BYTES;
  if (type !== 'N' && valueBytes(value) > limit)
    throw invalid(
      `One or more parameter values were invalid: Size of ${isHash ? 'hashkey' : 'rangekey'} has exceeded the maximum size limit of ${limit} bytes`,
    );
}

// Numbers: sign * 0.DIGITS * 10^exponent, without leading or trailing zeros.
type Decimal = { readonly sign: -1 | 0 | 1; readonly digits: string; readonly exponent: number };

const NUMBER = /^([-+]?)(\d*)\.?(\d*)(?:[eE]([-+]?\d+))?$/;

function decimalOf(of: string): Decimal {
  const match = NUMBER.exec(of);
  if (!match || !(match[2] || match[3]))
    throw invalid(`The parameter cannot be converted to a numeric value: ${of}`);
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const significant = `${whole}${fraction}`.replace(/^0+/, '');
  const digits = significant.replace(/0+$/, '');
  if (digits === '') return { sign: 0, digits: '', exponent: 0 };
  if (digits.length > MAX_DIGITS)
    throw invalid('Attempting to store more than 38 significant digits in a Number');
  const magnitude = Number(exponent) + significant.length - fraction.length;
  if (magnitude > 126)
    throw invalid('Number overflow. Attempting to store a number with magnitude larger than supported range');
  if (magnitude < -129)
    throw invalid(
      'Number underflow. Attempting to store a number with magnitude smaller than supported range',
    );
  return { sign: sign === '-' ? -1 : 1, digits, exponent: magnitude };
}

const isPlainInteger = (of: string): boolean => /^(?:0|-?[1-9]\d{0,14})$/.test(of);

/** A number as DynamoDB writes it. @example canonicalNumber('1.50e2') // '150' */
export function canonicalNumber(of: string): string {
  if (isPlainInteger(of)) return of;
  const { sign, digits, exponent } = decimalOf(of);
  if (sign === 0) return '0';
  const plain =
    exponent <= 0
      ? `0.${'0'.repeat(-exponent)}${digits}`
      : exponent >= digits.length
        ? digits.padEnd(exponent, '0')
        : `${digits.slice(0, exponent)}.${digits.slice(exponent)}`;
  return sign < 0 ? `-${plain}` : plain;
}

/** The sum of two numbers, exactly. @example addNumbers('0.1', '0.2') // '0.3' */
export function addNumbers(first: string, second: string): string {
  if (isPlainInteger(first) && isPlainInteger(second)) return String(Number(first) + Number(second));
  const [a, b] = [decimalOf(first), decimalOf(second)];
  // The smallest power of ten that both are whole multiples of.
  const unit = Math.min(a.exponent - a.digits.length, b.exponent - b.digits.length);
  const whole = ({ sign, digits, exponent }: Decimal): bigint =>
    sign === 0 ? 0n : BigInt(sign) * BigInt(digits) * 10n ** BigInt(exponent - digits.length - unit);
  return canonicalNumber(`${whole(a) + whole(b)}e${unit}`);
}

export const negate = (of: string): string => (of.startsWith('-') ? of.slice(1) : `-${of}`);

const EXPONENT_OFFSET = 200;

/**
 * A number as text that sorts as the number does: sign, exponent, digits; of a negative number each digit is its
 * complement to nine, and a closing character sorts a longer one before a shorter one.
 */
export function sortableNumber(of: string): string {
  const { sign, digits, exponent } = decimalOf(of);
  if (sign === 0) return '1';
  const magnitude = `${String(exponent + EXPONENT_OFFSET).padStart(3, '0')}${digits}`;
  return sign > 0
    ? `2${magnitude}`
    : `0${magnitude.replaceAll(/\d/g, (digit) => String(9 - Number(digit)))}~`;
}

/** A key attribute as SQLite sorts it: texts by their UTF-8 bytes, numbers by value, binaries by their bytes. */
export function sortKey(value: Value): string | Uint8Array {
  const [type, content] = typed(value);
  if (type === 'N') return sortableNumber(content as string);
  return type === 'B' ? Buffer.from(content as string, 'base64') : (content as string);
}

/** Less than zero, zero or more; undefined where the two do not compare: another type, or no order. */
export function compare(first: Value, second: Value): number | undefined {
  const [type, a] = typed(first);
  const [other, b] = typed(second);
  if (type !== other) return undefined;
  if (type === 'S') return a === b ? 0 : Buffer.compare(Buffer.from(a as string), Buffer.from(b as string));
  if (type === 'B')
    return Buffer.compare(Buffer.from(a as string, 'base64'), Buffer.from(b as string, 'base64'));
  if (type !== 'N') return undefined;
  if (isPlainInteger(a as string) && isPlainInteger(b as string)) return Number(a) - Number(b);
  const [x, y] = [sortableNumber(a as string), sortableNumber(b as string)];
  return x < y ? -1 : x > y ? 1 : 0;
}

/** Whether two values are the same. Sets have no order. */
export function equals(first: Value, second: Value): boolean {
  const [type, a] = typed(first);
  const [other, b] = typed(second);
  if (type !== other) return false;
  switch (type) {
    case 'N':
      return canonicalNumber(a as string) === canonicalNumber(b as string);
    case 'SS':
    case 'NS':
    case 'BS':
      return sameMembers(a as string[], b as string[]);
    case 'L':
      return sameList(a as Value[], b as Value[]);
    case 'M':
      return sameMap(a as Item, b as Item);
    default:
      return a === b;
  }
}

const sameMembers = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && new Set([...a, ...b]).size === a.length;

const sameList = (a: readonly Value[], b: readonly Value[]): boolean =>
  a.length === b.length && a.every((each, index) => equals(each, b[index] as Value));

function sameMap(a: Item, b: Item): boolean {
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  return names.every((name) => {
    const other = b[name];
    return other !== undefined && equals(a[name] as Value, other);
  });
}
