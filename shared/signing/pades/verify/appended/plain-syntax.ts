import { chargeTime } from '../../../../bounds/budget.ts';
import { BYTE_UNITS } from '../../pdf/budget.ts';
import type { Cursor } from '../../pdf/parse.ts';
import { countOf, isArray, isDict, nameOf, type PdfDict, type PdfValue } from '../../pdf/values.ts';
import { MAX_OBJECTS, type Section } from '../../pdf/xref.ts';
import { MAX_BLANK_BYTES } from '../byte-range.ts';

// Where a reader cannot read a section it repairs the file: it takes the last object of each number that it finds,
// listed or not, and shows another document. What is appended must be spelled so that no reader has to.

const HEAD = /(\d{1,7}) (\d{1,7}) ?(?:\r\n|\r|\n)/y;
const ENTRY = /\d{10} \d{5} [nf](?: ?\r?\n| \r)/y;
const FREE_HEAD = '0000000000 65535 f';

/** Whether a table is: the cursor is at its `xref`. It was read before, so that its lines are as many as they must be. */
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
    // Counted from 1, the entry of number 0 is that of number 1 to some readers.
    const isShifted = first > 0 && text.startsWith(FREE_HEAD, next);
    if (!head || isShifted || first + count > MAX_OBJECTS) return false;
    for (let left = count; left > 0; left--) if (!take(ENTRY)) return false;
  }
  return next > 0 && text.length - next <= MAX_BLANK_BYTES;
}

/** Whether what a section says of itself is. Some readers leave out the objects from its size on. */
export function isPlainSection({ kind, trailer }: Section, leastSize: number): boolean {
  const size = trailer.get('Size');
  if (typeof size !== 'number' || size < leastSize || size > MAX_OBJECTS) return false;
  return kind === 'table' || hasPlainColumns(trailer.get('W'));
}

const MAX_COLUMN_BYTES = [4, 8, 4] as const; // in bytes; some readers take no wider ones

const hasPlainColumns = (widths: PdfValue | undefined): boolean =>
  isArray(widths) &&
  widths.length === MAX_COLUMN_BYTES.length &&
  MAX_COLUMN_BYTES.every((most, at) => (countOf(widths[at]) ?? Number.POSITIVE_INFINITY) <= most);

// Other names for a stream's filters, or another place for its bytes, to some readers.
const OTHER_NAMES = ['F', 'DP', 'FFilter', 'FDecodeParms'];

/** Whether a cross-reference or object stream says how it is packed so that all readers unpack the same. */
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
const MAX_START_BYTES = 64; // bytes: it must be seen from the end of the file

/** Whether the place of the newest section is. */
export const isPlainStart = ({ bytes }: Cursor, at: number): boolean =>
  START.test(bytes.toString('latin1', at, at + MAX_START_BYTES));
