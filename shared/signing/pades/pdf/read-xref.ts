import { chargeMemory, chargeTime } from '../../../bounds/budget.ts';
import { broken } from '../refused.ts';
import { RUN_BYTES, RUN_UNITS } from './budget.ts';
import { isBlank, isDigit } from './characters.ts';
import { type Cursor, readValue, skipBlank, takeCount, takeWord } from './parse.ts';
import { isDict, type PdfDict } from './values.ts';
import { createRunFinder, type Entry, type Run, type Section } from './xref.ts';

const ENTRY_BYTES = 18; // "0000000016 00000 n", to which a line end of two bytes is due

/** The section at the cursor, which is past the word `xref`. */
export function readTable(cursor: Cursor, at: number): Section {
  const runs: Run[] = [];
  let isFirst = true;
  while (!takeWord(cursor, 'trailer')) {
    const run = readRun(cursor, isFirst);
    isFirst = false;
    chargeTime(cursor.budget, RUN_UNITS);
    if (run.count === 0) continue;
    chargeMemory(cursor.budget, RUN_BYTES);
    runs.push(run);
  }
  const trailer = readTrailer(cursor);
  const { bytes } = cursor;
  const runOf = createRunFinder(runs);
  const find = (id: number): Entry | undefined => {
    const run = runOf(id);
    return run && readEntry(bytes, run.at + (id - run.first) * run.width);
  };
  return { at, kind: 'table', trailer, find, runs };
}

function readTrailer(cursor: Cursor): PdfDict {
  const trailer = readValue(cursor);
  return isDict(trailer) ? trailer : broken('its trailer is no dictionary.');
}

function readRun(cursor: Cursor, isFirstRun: boolean): Run {
  const start = takeCount(cursor);
  const count = takeCount(cursor);
  if (start === undefined || count === undefined) return broken('its cross-reference table cannot be read.');
  skipBlank(cursor);
  const { bytes, at } = cursor;
  if (count === 0) return { first: start, count, at, width: 0 };
  const width = widthAt(bytes, at);
  if (width * (count - 1) + ENTRY_BYTES > bytes.length - at)
    broken('its cross-reference table is longer than the file.');
  cursor.at = at + width * (count - 1) + ENTRY_BYTES;
  // Some writers count from 1 though the first entry is the free one of number 0.
  const first =
    isFirstRun && start === 1 && bytes.toString('latin1', at, at + ENTRY_BYTES) === FREE_HEAD ? 0 : start;
  return { first, count, at, width };
}

const FREE_HEAD = '0000000000 65535 f';

// Writers are known to end an entry with one byte instead of two.
function widthAt(bytes: Buffer, at: number): number {
  let width = ENTRY_BYTES;
  while (width < ENTRY_BYTES + 3 && isBlank(bytes[at + width])) width++;
  return width;
}

function readEntry(bytes: Buffer, at: number): Entry {
  const kind = bytes[at + 17];
  if (bytes[at + 10] !== 0x20 || bytes[at + 16] !== 0x20 || (kind !== 0x6e && kind !== 0x66))
    broken(`its cross-reference table cannot be read at ${at}.`);
  const offset = digits(bytes, at, 10);
  const generation = digits(bytes, at + 11, 5);
  return kind === 0x66 || offset === 0 ? { type: 'free' } : { type: 'plain', offset, generation };
}

function digits(bytes: Buffer, at: number, count: number): number {
  let value = 0;
  for (let end = at + count; at < end; at++) {
    if (!isDigit(bytes[at])) broken(`its cross-reference table cannot be read at ${at}.`);
    value = value * 10 + (bytes[at] ?? 0) - 0x30;
  }
  return value;
}
