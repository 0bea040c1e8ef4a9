import { constants, inflateSync } from 'node:zlib';
import { type Budget, chargeTime } from '../../../bounds/budget.ts';
import { broken, tooComplex } from '../refused.ts';
import { UNPACKED_BYTE_UNITS, UNPREDICTED_BYTE_UNITS } from './budget.ts';
import {
  countOf,
  isArray,
  isDict,
  isRef,
  nameOf,
  type PdfDict,
  type PdfStream,
  type PdfValue,
} from './values.ts';

const PNG_PREDICTORS = 10; // and above

/** The content of a cross-reference or object stream, up to `maxBytes`: a decompression bomb would unpack to gigabytes. */
export function decode({ dict, raw }: PdfStream, maxBytes: number, budget: Budget): Buffer {
  const filter = nameOf(onlyItem(dict.get('Filter')));
  if (filter === undefined) return raw;
  if (filter !== 'FlateDecode') broken(`its structure has the filter ${filter}, which is not supported.`);
  const parameters = onlyItem(dict.get('DecodeParms'));
  const unpacked = inflate(raw, maxBytes);
  chargeTime(budget, UNPACKED_BYTE_UNITS * (raw.length + unpacked.length));
  return undoPredictor(unpacked, isDict(parameters) ? parameters : new Map(), budget);
}

// Structure never has several filters. Nor is a filter another object, as structure is needed to find objects.
function onlyItem(value: PdfValue | undefined): PdfValue | undefined {
  if (isArray(value) && value.length > 1) broken('its structure has more than one filter.');
  const found = isArray(value) ? value[0] : value;
  return isRef(found) ? broken('the filter of its structure is in another object.') : found;
}

// One chunk avoids joining many, which takes twice the memory.
const USUAL_RATIO = 8;
const MIN_CHUNK_BYTES = 4096;

function inflate(raw: Buffer, maxBytes: number): Buffer {
  try {
    // Some writers omit the checksum at the end.
    return inflateSync(raw, {
      finishFlush: constants.Z_SYNC_FLUSH,
      maxOutputLength: maxBytes,
      chunkSize: Math.min(maxBytes, Math.max(MIN_CHUNK_BYTES, USUAL_RATIO * raw.length)),
    });
  } catch (error) {
    if (error instanceof RangeError) tooComplex('A compressed part of it unpacks to far more than the file.');
    return broken('a compressed part does not unpack.');
  }
}

function undoPredictor(bytes: Buffer, parameters: PdfDict, budget: Budget): Buffer {
  const predictor = countOf(parameters.get('Predictor')) ?? 1;
  if (predictor === 1) return bytes;
  if (predictor < PNG_PREDICTORS)
    broken(`its structure has the predictor ${predictor}, which is not supported.`);
  const columns = countOf(parameters.get('Columns')) ?? 1;
  const colors = countOf(parameters.get('Colors')) ?? 1;
  const bits = countOf(parameters.get('BitsPerComponent')) ?? 8;
  if (columns * colors * bits === 0 || columns * colors * bits > bytes.length * 8)
    broken('a predictor has rows larger than the data.');
  chargeTime(budget, UNPREDICTED_BYTE_UNITS * bytes.length);
  return undoPngFilters(bytes, { columns, colors, bits });
}

/** The layout of samples in rows, for PDF predictors and PNG images alike. */
export type Rows = { readonly columns: number; readonly colors: number; readonly bits: number };

export const rowBytes = ({ columns, colors, bits }: Rows): number => Math.ceil((columns * colors * bits) / 8);

/** Undoes PNG's filters. The first byte of each row names its filter. An incomplete last row is dropped. */
export function undoPngFilters(filtered: Buffer, rows: Rows): Buffer {
  const width = rowBytes(rows);
  const step = Math.max(1, (rows.colors * rows.bits) >> 3);
  const count = Math.floor(filtered.length / (width + 1));
  const plain = Buffer.alloc(count * width);
  for (let row = 0; row < count; row++)
    undoRow(plain, filtered, { from: row * (width + 1), to: row * width, width, step, isFirst: row === 0 });
  return plain;
}

type Row = { from: number; to: number; width: number; step: number; isFirst: boolean };

// A loop for each filter: asking for the filter at each byte takes ten times as long. Above the first row is zero.
function undoRow(plain: Buffer, filtered: Buffer, row: Row): void {
  const { from, to, width, isFirst } = row;
  filtered.copy(plain, to, from + 1, from + 1 + width);
  const filter = filtered[from];
  // Of left, zero and zero the nearest to their sum is left.
  if (filter === 1 || (filter === 4 && isFirst)) addLeft(plain, row);
  else if (filter === 2 && !isFirst) addAbove(plain, row);
  else if (filter === 3) addAverage(plain, row);
  else if (filter === 4) addPaeth(plain, row);
}

function addLeft(plain: Buffer, { to, width, step }: Row): void {
  for (let at = to + step; at < to + width; at++) plain[at] = (plain[at] ?? 0) + (plain[at - step] ?? 0);
}

function addAbove(plain: Buffer, { to, width }: Row): void {
  for (let at = to; at < to + width; at++) plain[at] = (plain[at] ?? 0) + (plain[at - width] ?? 0);
}

function addAverage(plain: Buffer, { to, width, step, isFirst }: Row): void {
  for (let at = to; at < to + width; at++) {
    const left = at < to + step ? 0 : (plain[at - step] ?? 0);
    const above = isFirst ? 0 : (plain[at - width] ?? 0);
    plain[at] = (plain[at] ?? 0) + ((left + above) >> 1);
  }
}

function addPaeth(plain: Buffer, { to, width, step }: Row): void {
  for (let at = to; at < to + width; at++) {
    const isStart = at < to + step;
    const left = isStart ? 0 : (plain[at - step] ?? 0);
    const above = plain[at - width] ?? 0;
    const aboveLeft = isStart ? 0 : (plain[at - width - step] ?? 0);
    plain[at] = (plain[at] ?? 0) + paeth(left, above, aboveLeft);
  }
}

function paeth(left: number, above: number, aboveLeft: number): number {
  const guess = left + above - aboveLeft;
  const byLeft = Math.abs(guess - left);
  const byAbove = Math.abs(guess - above);
  const byBoth = Math.abs(guess - aboveLeft);
  if (byLeft <= byAbove && byLeft <= byBoth) return left;
  return byAbove <= byBoth ? above : aboveLeft;
}
