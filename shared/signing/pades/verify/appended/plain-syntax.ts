import { chargeTime } from '../../../../bounds/budget.ts';
import { BYTE_UNITS } from '../../pdf/budget.ts';
import type { Cursor } from '../../pdf/parse.ts';
import { countOf, isArray, isDict, nameOf, type PdfDict, type PdfValue } from '../../pdf/values.ts';
import { MAX_OBJECTS, type Section } from '../../pdf/xref.ts';
import { MAX_BLANK_BYTES } from '../byte-range.ts';

// Incremental saving attack: a reader that cannot read a section repairs the file. It takes the last object of each
// number, listed or not, and shows another document. Appended sections must have a syntax that every reader accepts.

const HEAD = /(\d{1,7}) (\d{1,7}) ?(?:\r\n|\r|\n)/y;
const ENTRY = /\d{10} \d{5} [nf](?: ?\r?\n| \r)/y;
const FREE_HEAD = '0000000000 65535 f';

/** Whether every reader reads this table (ISO 32000-2, 7.5.4). It was read before, so the number of its lines is right. */
export function isPlainTable({ bytes, budget }: Cursor, at: number): boolean {
  const end = bytes.indexOf('trailer', at, 'latin1');
  chargeTime(budget, BYTE_UNITS * (end - at));
  const text = bytes.toString('latin1', at, end);
  let next = /^xref ?(?:\r\n|\r|\n)/.exec(text)?.[0].length ?? 0;
  const take = (line: RegExp): RegExpExecArray | null => {
    line.lastIndex = next;
    const found = line.exec(text);
    if (found) next = line.lastIndex;
    return found;
  };
  const last = text.trimEnd().length;
  while (next > 0 && next < last) {
    const head = take(HEAD);
    const [first, count] = [Number(head?.[1]), Number(head?.[2])];
    // Counted from 1, the entry of object 0 belongs to object 1 for some readers.
    const isShifted = first > 0 && text.startsWith(FREE_HEAD, next);
    if (!head || isShifted || first + count > MAX_OBJECTS) return false;
    for (let left = count; left > 0; left--) if (!take(ENTRY)) return false;
  }
  return next > 0 && text.length - next <= MAX_BLANK_BYTES;
}

/** Whether every reader understands the section's own description. Some readers drop the objects from /Size on. */
export function isPlainSection({ kind, trailer }: Section, minSize: number): boolean {
  const size = trailer.get('Size');
  if (typeof size !== 'number' || size < minSize || size > MAX_OBJECTS) return false;
  return kind === 'table' || hasPlainColumns(trailer.get('W'));
}

const MAX_COLUMN_BYTES = [4, 8, 4] as const; // some readers refuse wider ones

const hasPlainColumns = (widths: PdfValue | undefined): boolean =>
  isArray(widths) &&
  widths.length === MAX_COLUMN_BYTES.length &&
  MAX_COLUMN_BYTES.every((max, at) => (countOf(widths[at]) ?? Number.POSITIVE_INFINITY) <= max);

// For some readers these name the filters, or an external file with the content (ISO 32000-2, 7.3.8.2).
const OTHER_NAMES = ['F', 'DP', 'FFilter', 'FDecodeParms'];

/** Whether all readers unpack the same content from a cross-reference or object stream. */
export function isPlainlyCompressed(dict: PdfDict): boolean {
  if (OTHER_NAMES.some((key) => dict.has(key))) return false;
  const [filter, parameters] = [onlyItem(dict.get('Filter')), onlyItem(dict.get('DecodeParms'))];
  if (filter !== undefined && nameOf(filter) !== 'FlateDecode') return false;
  const isPlain = parameters === undefined || parameters === null || filter !== undefined;
  return isPlain && (!isDict(parameters) || parameters.values().every((value) => typeof value === 'number'));
}

const onlyItem = (value: PdfValue | undefined): PdfValue | undefined =>
  isArray(value) && value.length < 2 ? value[0] : value;

const START = /^startxref[ \t]*[ \t\r\n]{1,8}\d{1,15}(?![^ \t\r\n%])/;
const MAX_START_BYTES = 64; // readers search for it from the end of the file

/** Whether every reader reads this `startxref`. */
export const isPlainStart = ({ bytes }: Cursor, at: number): boolean =>
  START.test(bytes.toString('latin1', at, at + MAX_START_BYTES));
