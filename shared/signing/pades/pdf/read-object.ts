import { type Budget, chargeTime } from '../../../bounds/budget.ts';
import { broken } from '../refused.ts';
import { BULK_BYTE_UNITS, OBJECT_UNITS } from './budget.ts';
import { matchesAt } from './characters.ts';
import { type Cursor, cursorAt, readValue, skipBlank, takeCount, takeWord } from './parse.ts';
import { type Source, spotOf } from './source.ts';
import { countOf, isDict, type PdfDict, type PdfObject, type PdfValue } from './values.ts';

export type IndirectObject = {
  readonly id: number;
  readonly generation: number;
  readonly object: PdfObject;
  /** The offset after its `endobj`. */
  readonly end: number;
  /** Whether `endobj` closes it, and its stream ends where /Length says. */
  readonly isExact: boolean;
};

/** Resolves a /Length that may be a reference. */
export type LengthOf = (value: PdfValue | undefined) => number | undefined;

const direct: LengthOf = countOf;

/** Reads the indirect object at this offset of the file; undefined where there is none. */
export function readObjectAt(
  source: Source,
  offset: number,
  budget: Budget,
  lengthOf = direct,
  strict = false,
): IndirectObject | undefined {
  const { bytes, at, pieceStart } = spotOf(source, offset);
  const cursor = cursorAt(bytes, at, budget, strict);
  chargeTime(budget, OBJECT_UNITS);
  const id = takeCount(cursor);
  const generation = takeCount(cursor);
  if (id === undefined || generation === undefined || !takeWord(cursor, 'obj')) return undefined;
  const value = readValue(cursor);
  const isStreamNext = isDict(value) && takeStreamWord(cursor);
  const { object, isExact } = isStreamNext
    ? readStream(cursor, value, lengthOf)
    : { object: value, isExact: true };
  const isClosed = takeWord(cursor, 'endobj');
  return { id, generation, object, end: pieceStart + cursor.at, isExact: isExact && isClosed };
}

/** Returns a cursor at the value of the object that must be at this offset. */
export function valueAt(source: Source, offset: number, id: number, budget: Budget): Cursor {
  const { bytes, at } = spotOf(source, offset);
  const cursor = cursorAt(bytes, at, budget);
  chargeTime(budget, OBJECT_UNITS);
  if (takeCount(cursor) !== id || takeCount(cursor) === undefined || !takeWord(cursor, 'obj'))
    broken(`object ${id} is not where the cross-reference says.`);
  return cursor;
}

// A line end follows `stream`, and the content begins right after it, even with blanks (ISO 32000-2, 7.3.8.1).
function takeStreamWord(cursor: Cursor): boolean {
  skipBlank(cursor);
  const { bytes, at } = cursor;
  if (!matchesAt('stream', bytes, at, at + 6)) return false;
  const isCarriageReturn = bytes[at + 6] === 13;
  cursor.at = at + (isCarriageReturn ? 7 : 6);
  if (bytes[cursor.at] === 10) cursor.at++;
  else if (cursor.strict) broken(`no line end follows the word stream at ${at}.`);
  return true;
}

type ReadStream = { readonly object: PdfObject; readonly isExact: boolean };

function readStream(cursor: Cursor, dict: PdfDict, lengthOf: LengthOf): ReadStream {
  const { bytes, at: start } = cursor;
  const length = lengthOf(dict.get('Length'));
  if (length !== undefined && length <= bytes.length - start) {
    cursor.at = start + length;
    if (takeEndStream(cursor))
      return { object: { kind: 'stream', dict, raw: bytes.subarray(start, start + length) }, isExact: true };
  }
  // Wrong lengths are common: every reader then searches for the end.
  const found = bytes.indexOf('endstream', start, 'latin1');
  chargeTime(cursor.budget, BULK_BYTE_UNITS * ((found < 0 ? bytes.length : found) - start));
  if (found < 0) return broken(`a stream at ${start} has no end.`);
  cursor.at = found + 'endstream'.length;
  return { object: { kind: 'stream', dict, raw: bytes.subarray(start, found) }, isExact: false };
}

function takeEndStream(cursor: Cursor): boolean {
  const { bytes } = cursor;
  let at = cursor.at;
  if (bytes[at] === 13) at++;
  if (bytes[at] === 10) at++;
  if (!matchesAt('endstream', bytes, at, at + 9)) return false;
  cursor.at = at + 9;
  return true;
}
