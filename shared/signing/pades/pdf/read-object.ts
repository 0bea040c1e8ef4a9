import { type Budget, chargeTime } from '../../../bounds/budget.ts';
import { broken } from '../refused.ts';
import { BULK_BYTE_UNITS, OBJECT_UNITS } from './budget.ts';
import { type Cursor, cursorAt, readValue, skipBlank, takeCount, takeWord } from './parse.ts';
import { matchesAt } from './short-names.ts';
import { type Source, spotOf } from './source.ts';
import { countOf, isDict, type PdfDict, type PdfObject, type PdfValue } from './values.ts';

export type IndirectObject = {
  readonly id: number;
  readonly generation: number;
  readonly object: PdfObject;
  /** Where the object ends in the file, its `endobj` included. */
  readonly end: number;
  /** Whether it ends as it must, and its stream where its length says. */
  readonly isExact: boolean;
};

/** How to read a length that is itself an object. */
export type LengthOf = (value: PdfValue | undefined) => number | undefined;

const direct: LengthOf = countOf;

/** The object that begins at this offset of the file, or undefined where none does. */
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

/** Where the value of the object begins that must stand at this offset. */
export function valueAt(source: Source, offset: number, id: number, budget: Budget): Cursor {
  const { bytes, at } = spotOf(source, offset);
  const cursor = cursorAt(bytes, at, budget);
  chargeTime(budget, OBJECT_UNITS);
  if (takeCount(cursor) !== id || takeCount(cursor) === undefined || !takeWord(cursor, 'obj'))
    broken(`object ${id} is not where the cross-reference says.`);
  return cursor;
}

// `stream` is followed by a line end, and the bytes begin right after it, blanks or not.
function takeStreamWord(cursor: Cursor): boolean {
  skipBlank(cursor);
  const { bytes, at } = cursor;
  if (!matchesAt('stream', bytes, at, at + 6)) return false;
  const isCarriageReturn = bytes[at + 6] === 13;
  cursor.at = at + (isCarriageReturn ? 7 : 6);
  if (bytes[cursor.at] === 10) cursor.at++;
  else if (cursor.strict) broken(`the line of the word stream at ${at} does not end.`);
  return true;
}

type ReadStream = { readonly object: PdfObject; readonly isExact: boolean };

function readStream(cursor: Cursor, dict: PdfDict, lengthOf: LengthOf): ReadStream {
  const { bytes, at: start } = cursor;
  const told = lengthOf(dict.get('Length'));
  if (told !== undefined && told <= bytes.length - start) {
    cursor.at = start + told;
    if (takeEndStream(cursor))
      return { object: { kind: 'stream', dict, raw: bytes.subarray(start, start + told) }, isExact: true };
  }
  // A wrong length is common enough that every reader looks for the end instead.
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
