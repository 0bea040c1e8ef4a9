import { type Budget, chargeMemory, chargeTime } from '../../../bounds/budget.ts';
import { broken } from '../refused.ts';
import { RUN_BYTES, RUN_UNITS } from './budget.ts';
import { isBlank, isDigit } from './characters.ts';
import { type Cursor, readValue, skipBlank, takeCount, takeWord } from './parse.ts';
import { countOf, isArray, isDict, nameOf, type PdfDict, type PdfValue } from './values.ts';
import { createRunFinder, type Entry, type Run, type Section } from './xref.ts';

const ENTRY_BYTES = 18; // "0000000016 00000 n", followed by a line end of two bytes

/** Reads a cross-reference table (ISO 32000-2, 7.5.4). The cursor is past the word `xref`. */
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
  return isDict(trailer) ? trailer : broken('its trailer is not a dictionary.');
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
  // Some writers count from 1 although the first entry is that of object 0, the head of the free list.
  const first =
    isFirstRun && start === 1 && bytes.toString('latin1', at, at + ENTRY_BYTES) === FREE_HEAD ? 0 : start;
  return { first, count, at, width };
}

const FREE_HEAD = '0000000000 65535 f';

// Some writers end an entry with one byte instead of two.
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
  return kind === 0x66 || offset === 0 ? { type: 'free' } : { type: 'uncompressed', offset, generation };
}

function digits(bytes: Buffer, at: number, count: number): number {
  let value = 0;
  for (let end = at + count; at < end; at++) {
    if (!isDigit(bytes[at])) broken(`its cross-reference table cannot be read at ${at}.`);
    value = value * 10 + (bytes[at] ?? 0) - 0x30;
  }
  return value;
}

/** Reads the section in a cross-reference stream (ISO 32000-2, 7.5.8). */
export function readStreamSection(trailer: PdfDict, data: Buffer, at: number, budget: Budget): Section {
  if (nameOf(trailer.get('Type')) !== 'XRef') broken('its cross-reference stream has the wrong /Type.');
  const widths = counts(trailer.get('W'));
  const [kindBytes = 0, secondBytes = 0, thirdBytes = 0] = widths;
  if (widths.length < 3 || widths.some((width) => width > MAX_COLUMN_BYTES))
    broken('its cross-reference stream has invalid columns.');
  const width = widths.reduce((sum, bytes) => sum + bytes, 0);
  const index = counts(trailer.get('Index') ?? [0, trailer.get('Size') ?? 0]);
  chargeTime(budget, (RUN_UNITS * index.length) / 2);
  chargeMemory(budget, (RUN_BYTES * index.length) / 2);
  const runs = streamRunsOf(index, width);
  if (width === 0 || runs.some((run) => run.at + run.count * width > data.length))
    broken('its cross-reference stream is too short.');
  const runOf = createRunFinder(runs);
  const find = (id: number): Entry | undefined => {
    const run = runOf(id);
    if (!run) return undefined;
    const start = run.at + (id - run.first) * width;
    const kind = kindBytes === 0 ? 1 : readNumber(data, start, kindBytes);
    const second = readNumber(data, start + kindBytes, secondBytes);
    const third = readNumber(data, start + kindBytes + secondBytes, thirdBytes);
    if (kind === 2) return { type: 'compressed', stream: second, index: third };
    return kind === 1 ? { type: 'uncompressed', offset: second, generation: third } : { type: 'free' };
  };
  return { at, kind: 'stream', trailer, find, runs };
}

const MAX_COLUMN_BYTES = 8; // pyHanko writes offsets of eight bytes
const MAX_NUMBER_BYTES = 6; // 256 TB

// Readers with smaller integers would read another value, so the bytes beyond six must be zeros.
function readNumber(data: Buffer, at: number, bytes: number): number {
  if (bytes === 0) return 0;
  const excess = Math.max(0, bytes - MAX_NUMBER_BYTES);
  if (excess > 0 && data.readUIntBE(at, excess) !== 0)
    broken('its cross-reference holds a number larger than any file.');
  return data.readUIntBE(at + excess, bytes - excess);
}

function counts(value: PdfValue | undefined): number[] {
  if (!isArray(value)) return [];
  return value.map((item) => countOf(item) ?? broken('its cross-reference stream has an invalid count.'));
}

function streamRunsOf(index: readonly number[], width: number): Run[] {
  if (index.length % 2) broken('its cross-reference stream has an invalid count.');
  const runs: Run[] = [];
  let at = 0;
  for (let pair = 0; pair < index.length; pair += 2) {
    const count = index[pair + 1] ?? 0;
    runs.push({ first: index[pair] ?? 0, count, at, width });
    at += count * width;
  }
  return runs;
}
