import { type Budget, chargeMemory, chargeTime } from '../../../bounds/budget.ts';
import { broken, tooComplex } from '../refused.ts';
import {
  ARRAY_BYTES,
  ARRAY_UNITS,
  BYTE_UNITS,
  DICT_BYTES,
  DICT_UNITS,
  ENTRY_BYTES,
  ESCAPED_BYTE_BYTES,
  ESCAPED_BYTE_UNITS,
  HEXADECIMAL_BYTE_UNITS,
  NAME_BYTES,
  NUMBER_BYTES,
  REAL_BYTES,
  REF_BYTES,
  REF_UNITS,
  STRING_BYTES,
  STRING_UNITS,
  VALUE_UNITS,
} from './budget.ts';
import { isBlank, isDigit, isRegular, matchesAt, textAt } from './characters.ts';
import {
  nameOf,
  type PdfArray,
  type PdfDict,
  type PdfName,
  type PdfString,
  type PdfValue,
  print,
} from './values.ts';

/** A position in the bytes, moved by reading. */
export type Cursor = {
  readonly bytes: Buffer;
  at: number;
  readonly budget: Budget;
  /** Bytes of the value that were checked in bulk. */
  bulkBytes: number;
  /** Refuses syntax that readers understand in different ways. */
  readonly strict: boolean;
};

export const MAX_DEPTH = 100; // real objects stay under 20; deeper ones are made to overflow the stack

export const cursorAt = (bytes: Buffer, at: number, budget: Budget, strict = false): Cursor => ({
  bytes,
  at,
  budget,
  bulkBytes: 0,
  strict,
});

const FREE_BLANKS = 64; // more of them are charged here, as they may be outside of values

/** Moves past blanks and comments. */
export function skipBlank(cursor: Cursor): void {
  const { bytes, at: start } = cursor;
  for (;;) {
    while (isBlank(bytes[cursor.at])) cursor.at++;
    if (bytes[cursor.at] !== 0x25) break;
    while (cursor.at < bytes.length && bytes[cursor.at] !== 10 && bytes[cursor.at] !== 13) cursor.at++;
  }
  if (cursor.at - start > FREE_BLANKS) chargeTime(cursor.budget, BYTE_UNITS * (cursor.at - start));
}

/** Whether this keyword is next. If so, the cursor moves past it. */
export function takeWord(cursor: Cursor, word: string): boolean {
  skipBlank(cursor);
  const end = cursor.at + word.length;
  if (!matchesAt(word, cursor.bytes, cursor.at, end) || isRegular(cursor.bytes[end])) return false;
  cursor.at = end;
  return true;
}

/** Reads a whole number without a sign. Otherwise the cursor stays. */
export function takeCount(cursor: Cursor): number | undefined {
  skipBlank(cursor);
  const { bytes } = cursor;
  const start = cursor.at;
  let value = 0;
  let at = start;
  for (; isDigit(bytes[at]); at++) value = value * 10 + (bytes[at] ?? 0) - 0x30;
  if (at === start || isRegular(bytes[at]) || value > Number.MAX_SAFE_INTEGER) return undefined;
  cursor.at = at;
  return value;
}

/** Reads the next value. @example const trailer = readValue(cursorAt(bytes, offset, budget)) */
export function readValue(cursor: Cursor): PdfValue {
  const { at, budget } = cursor;
  cursor.bulkBytes = 0;
  try {
    return readWithin(cursor, 0);
  } finally {
    const { bulkBytes } = cursor;
    chargeTime(budget, BYTE_UNITS * (cursor.at - at - bulkBytes) + HEXADECIMAL_BYTE_UNITS * bulkBytes);
  }
}

function readWithin(cursor: Cursor, depth: number): PdfValue {
  if (depth > MAX_DEPTH) tooComplex('Its values are nested too deeply.');
  chargeTime(cursor.budget, VALUE_UNITS);
  skipBlank(cursor);
  const { bytes, at } = cursor;
  switch (bytes[at]) {
    case 0x2f:
      return readName(cursor);
    case 0x28:
      return readLiteral(cursor);
    case 0x5b:
      return readArray(cursor, depth);
    case 0x3c:
      return bytes[at + 1] === 0x3c ? readDict(cursor, depth) : readHex(cursor);
    default:
      return readWord(cursor);
  }
}

function readName(cursor: Cursor): PdfName {
  const { bytes } = cursor;
  const start = ++cursor.at;
  let isEscaped = false;
  for (; isRegular(bytes[cursor.at]); cursor.at++) if (bytes[cursor.at] === 0x23) isEscaped = true;
  chargeMemory(cursor.budget, NAME_BYTES + cursor.at - start);
  const text = textAt(bytes, start, cursor.at);
  // A name may have escapes: /Cont#65nts is /Contents to every reader (ISO 32000-2, 7.3.5).
  const name = isEscaped ? unescapeName(cursor.budget, text) : text;
  // Some readers end the name at the zero byte and see another name.
  if (cursor.strict && name.includes('\0')) broken(`a name at ${start} has a zero byte.`);
  return { kind: 'name', name };
}

function unescapeName(budget: Budget, text: string): string {
  chargeTime(budget, ESCAPED_BYTE_UNITS * text.length);
  chargeMemory(budget, ESCAPED_BYTE_BYTES * text.length);
  return text.replace(/#([0-9a-f]{2})/gi, (_, hex) => letter(hex));
}

const letter = (hex: string): string => String.fromCharCode(Number.parseInt(hex, 16));

function readLiteral(cursor: Cursor): PdfString {
  chargeTime(cursor.budget, STRING_UNITS);
  chargeMemory(cursor.budget, STRING_BYTES);
  const { bytes, at: start } = cursor;
  let open = 0;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === 0x5c) at++;
    else if (byte === 0x28) open++;
    else if (byte === 0x29 && --open === 0) {
      cursor.at = at + 1;
      return { kind: 'string', raw: bytes.subarray(start, at + 1) };
    }
  }
  return broken(`a string at ${start} has no end.`);
}

const HEXADECIMAL = /^[0-9a-f\0\t\n\f\r ]*$/i;

function readHex(cursor: Cursor): PdfString {
  chargeTime(cursor.budget, STRING_UNITS);
  chargeMemory(cursor.budget, STRING_BYTES);
  const { bytes, at: start } = cursor;
  const end = bytes.indexOf(0x3e, start);
  if (end < 0 || !HEXADECIMAL.test(bytes.toString('latin1', start + 1, end)))
    broken(`a hexadecimal string at ${start} has other characters.`);
  cursor.at = end + 1;
  cursor.bulkBytes += end - start;
  return { kind: 'string', raw: bytes.subarray(start, end + 1) };
}

function readArray(cursor: Cursor, depth: number): PdfArray {
  chargeTime(cursor.budget, ARRAY_UNITS);
  chargeMemory(cursor.budget, ARRAY_BYTES);
  cursor.at++;
  const items: PdfValue[] = [];
  for (;;) {
    skipBlank(cursor);
    if (cursor.bytes[cursor.at] === 0x5d) break;
    items.push(readWithin(cursor, depth + 1));
  }
  cursor.at++;
  return items;
}

function readDict(cursor: Cursor, depth: number): PdfDict {
  const { bytes, at: start } = cursor;
  chargeTime(cursor.budget, DICT_UNITS);
  chargeMemory(cursor.budget, DICT_BYTES);
  cursor.at += 2;
  const entries = new Map<string, PdfValue>();
  for (;;) {
    skipBlank(cursor);
    if (bytes[cursor.at] === 0x3e && bytes[cursor.at + 1] === 0x3e) break;
    if (bytes[cursor.at] !== 0x2f) broken(`a dictionary at ${start} has a key that is not a name.`);
    chargeMemory(cursor.budget, ENTRY_BYTES);
    const { name } = readName(cursor);
    const { at } = cursor;
    const value = readWithin(cursor, depth + 1);
    if (cursor.strict && entries.has(name)) {
      chargeTime(cursor.budget, 2 * BYTE_UNITS * (cursor.at - at));
      // Some readers take the first value, some the last: both must mean the same.
      const earlier = entries.get(name) ?? null;
      if (print(earlier) !== print(value) && !(name === 'Type' && isIdleType(earlier) && isIdleType(value)))
        broken(`a dictionary at ${start} has /${name} twice.`);
    }
    entries.set(name, value);
  }
  cursor.at += 2;
  return entries;
}

// Optional types of dictionaries that readers find by the entry that refers to them (ISO 32000-2, 12.5.2, 12.7.5.5,
// 12.8.1 and 12.8.4.3). Signers that merge a field and its widget write two. Shadow attack (replace): a catalog, a page,
// a stream of objects or a font is what its /Type says.
const IDLE_TYPES: ReadonlySet<string> = new Set([
  ...['Annot', 'Sig', 'DocTimeStamp', 'SigRef', 'TransformParams', 'SigFieldLock', 'SV', 'SVCert'],
  ...['DSS', 'VRI', 'Border'],
]);

const isIdleType = (value: PdfValue): boolean => IDLE_TYPES.has(nameOf(value) ?? '');

const WHOLE = /^[+-]?\d{1,15}$/;
const NUMBER = /^[+-]*(\d+\.?\d*|\.\d+)-?\d*$/; // some writers produce --5 and 1.-2, which readers accept

function readWord(cursor: Cursor): PdfValue {
  chargeMemory(cursor.budget, NUMBER_BYTES);
  const { bytes, at: start } = cursor;
  if (isDigit(bytes[start])) {
    const count = takeCount(cursor);
    if (count !== undefined) return readRefOr(cursor, count);
  }
  while (isRegular(bytes[cursor.at])) cursor.at++;
  const word = textAt(bytes, start, Math.min(cursor.at, start + 64));
  if (WHOLE.test(word)) return Number(word);
  if (NUMBER.test(word)) {
    chargeMemory(cursor.budget, REAL_BYTES - NUMBER_BYTES);
    return { kind: 'real', text: word };
  }
  if (word === 'true') return true;
  if (word === 'false') return false;
  if (word === 'null') return null;
  return broken(start < bytes.length ? `there is no value at ${start}.` : 'it ends inside a value.');
}

function readRefOr(cursor: Cursor, id: number): PdfValue {
  const { at } = cursor;
  const generation = takeCount(cursor);
  if (generation !== undefined && takeWord(cursor, 'R')) {
    chargeTime(cursor.budget, REF_UNITS);
    chargeMemory(cursor.budget, REF_BYTES - NUMBER_BYTES);
    return { kind: 'ref', id, generation };
  }
  cursor.at = at;
  return id;
}
