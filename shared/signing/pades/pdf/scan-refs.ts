import { chargeTime, withScratchMemory } from '../../../bounds/budget.ts';
import { broken, tooComplex } from '../refused.ts';
import { BYTE_UNITS, SCANNED_VALUE_UNITS } from './budget.ts';
import { isDigit, isRegular, textAt } from './characters.ts';
import { type Cursor, MAX_DEPTH, readValue, skipBlank, takeCount, takeWord } from './parse.ts';

/**
 * Receives each reference. `key` is its dictionary key as written; empty for a reference that is the whole value, and
 * null in an array.
 */
export type OnRef = (id: number, generation: number, key: string | null) => void;

/** Visits every reference in the next value, without holding the value. */
export function scanRefs(cursor: Cursor, onRef: OnRef, depth = 0, key: string | null = ''): void {
  if (depth > MAX_DEPTH) tooComplex('Its values are nested too deeply.');
  chargeTime(cursor.budget, SCANNED_VALUE_UNITS);
  skipBlank(cursor);
  const { bytes, at } = cursor;
  const first = bytes[at];
  if (first === 0x2f) skipName(cursor);
  else if (first === 0x5b) scanArray(cursor, onRef, depth);
  else if (first === 0x3c && bytes[at + 1] === 0x3c) scanDict(cursor, onRef, depth);
  else if (!isDigit(first) || !scanNumber(cursor, onRef, key))
    withScratchMemory(cursor.budget, () => readValue(cursor));
}

function skipName(cursor: Cursor): void {
  const { at, budget } = cursor;
  cursor.at++;
  while (isRegular(cursor.bytes[cursor.at])) cursor.at++;
  chargeTime(budget, BYTE_UNITS * (cursor.at - at));
}

function scanArray(cursor: Cursor, onRef: OnRef, depth: number): void {
  cursor.at++;
  for (skipBlank(cursor); cursor.bytes[cursor.at] !== 0x5d; skipBlank(cursor))
    scanRefs(cursor, onRef, depth + 1, null);
  cursor.at++;
}

function scanDict(cursor: Cursor, onRef: OnRef, depth: number): void {
  const { bytes, at: start } = cursor;
  cursor.at += 2;
  for (;;) {
    skipBlank(cursor);
    if (bytes[cursor.at] === 0x3e && bytes[cursor.at + 1] === 0x3e) break;
    if (bytes[cursor.at] !== 0x2f) broken(`a dictionary at ${start} has a key that is not a name.`);
    const { at } = cursor;
    skipName(cursor);
    const end = cursor.at;
    skipBlank(cursor);
    // Only a reference needs its key.
    const key = isDigit(bytes[cursor.at]) ? textAt(bytes, at + 1, end) : null;
    scanRefs(cursor, onRef, depth + 1, key);
  }
  cursor.at += 2;
}

function scanNumber(cursor: Cursor, onRef: OnRef, key: string | null): boolean {
  const id = takeCount(cursor);
  if (id === undefined) return false;
  const { at } = cursor;
  const generation = takeCount(cursor);
  if (generation !== undefined && takeWord(cursor, 'R')) onRef(id, generation, key);
  else cursor.at = at;
  return true;
}
