import { broken } from '../refused.ts';
import { hexValue, isBlank, isDigit, isRegular } from './characters.ts';
import type { PdfArray, PdfDict, PdfName, PdfString, PdfValue } from './values.ts';

/** A place in the bytes, moved by what is read. */
export type Cursor = {
  readonly bytes: Buffer;
  at: number;
  /** Values read so far: what one object may cost is bounded. */
  values: number;
  /** Refuse what readers understand in different ways. */
  readonly strict: boolean;
};

const DEEPEST = 100; // real objects stay under 20; deeper ones only mean to fill the stack
const MOST_VALUES = 1_000_000; // in one object: a page tree with a flat list of every page fits

export const cursorAt = (bytes: Buffer, at: number, strict = false): Cursor => ({
  bytes,
  at,
  values: 0,
  strict,
});

/** Past blanks and comments. */
export function skipBlank(cursor: Cursor): void {
  const { bytes } = cursor;
  for (;;) {
    while (isBlank(bytes[cursor.at])) cursor.at++;
    if (bytes[cursor.at] !== 0x25) return;
    while (cursor.at < bytes.length && bytes[cursor.at] !== 10 && bytes[cursor.at] !== 13) cursor.at++;
  }
}

/** Whether this keyword stands here; if so, the cursor is past it. */
export function takeWord(cursor: Cursor, word: string): boolean {
  skipBlank(cursor);
  const end = cursor.at + word.length;
  if (isRegular(cursor.bytes[end]) || cursor.bytes.toString('latin1', cursor.at, end) !== word) return false;
  cursor.at = end;
  return true;
}

/** A whole number without a sign, or undefined with the cursor where it was. */
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

/** The value that stands here. @example const trailer = readValue(cursorAt(bytes, offset)) */
export function readValue(cursor: Cursor, depth = 0): PdfValue {
  if (depth > DEEPEST) broken('its values are nested too deep.');
  if (++cursor.values > MOST_VALUES) broken('one of its objects holds too many values.');
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
  const text = bytes.toString('latin1', start, cursor.at);
  // A name may hide its letters: /Cont#65nts is /Contents to every reader.
  const name = isEscaped ? text.replace(/#([0-9a-f]{2})/gi, (_, hex) => letter(hex)) : text;
  return { kind: 'name', name };
}

const letter = (hex: string): string => String.fromCharCode(Number.parseInt(hex, 16));

function readLiteral(cursor: Cursor): PdfString {
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

function readHex(cursor: Cursor): PdfString {
  const { bytes, at: start } = cursor;
  let at = start + 1;
  while (hexValue(bytes[at]) >= 0 || isBlank(bytes[at])) at++;
  if (bytes[at] !== 0x3e) broken(`a hexadecimal string at ${start} holds something else.`);
  cursor.at = at + 1;
  return { kind: 'string', raw: bytes.subarray(start, at + 1) };
}

function readArray(cursor: Cursor, depth: number): PdfArray {
  cursor.at++;
  const items: PdfValue[] = [];
  for (;;) {
    skipBlank(cursor);
    if (cursor.bytes[cursor.at] === 0x5d) break;
    items.push(readValue(cursor, depth + 1));
  }
  cursor.at++;
  return items;
}

function readDict(cursor: Cursor, depth: number): PdfDict {
  const { bytes, at: start } = cursor;
  cursor.at += 2;
  const entries = new Map<string, PdfValue>();
  for (;;) {
    skipBlank(cursor);
    if (bytes[cursor.at] === 0x3e && bytes[cursor.at + 1] === 0x3e) break;
    if (bytes[cursor.at] !== 0x2f) broken(`a dictionary at ${start} has a key that is no name.`);
    const { name } = readName(cursor);
    if (cursor.strict && entries.has(name)) broken(`a dictionary at ${start} has /${name} twice.`);
    entries.set(name, readValue(cursor, depth + 1));
  }
  cursor.at += 2;
  return entries;
}

const WHOLE = /^[+-]?\d{1,15}$/;
const NUMBER = /^[+-]*(\d+\.?\d*|\.\d+)-?\d*$/; // some producers write --5 and 1.-2, and are understood

function readWord(cursor: Cursor): PdfValue {
  const { bytes, at: start } = cursor;
  if (isDigit(bytes[start])) {
    const count = takeCount(cursor);
    if (count !== undefined) return refOr(cursor, count);
  }
  while (isRegular(bytes[cursor.at])) cursor.at++;
  const word = bytes.toString('latin1', start, Math.min(cursor.at, start + 64));
  if (WHOLE.test(word)) return Number(word);
  if (NUMBER.test(word)) return { kind: 'real', text: word };
  if (word === 'true') return true;
  if (word === 'false') return false;
  if (word === 'null') return null;
  return broken(start < bytes.length ? `no value stands at ${start}.` : 'it ends inside a value.');
}

function refOr(cursor: Cursor, id: number): PdfValue {
  const { at } = cursor;
  const generation = takeCount(cursor);
  if (generation !== undefined && takeWord(cursor, 'R')) return { kind: 'ref', id, generation };
  cursor.at = at;
  return id;
}
