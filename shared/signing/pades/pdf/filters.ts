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

function undoRow(plain: Buffer, filtered: Buffer, { from, to, width, step, isFirst }: Row): void {
  const filter = filtered[from] ?? 0;
  for (let column = 0; column < width; column++) {
    const left = column >= step ? (plain[to + column - step] ?? 0) : 0;
    const above = isFirst ? 0 : (plain[to + column - width] ?? 0);
    const aboveLeft = isFirst || column < step ? 0 : (plain[to + column - width - step] ?? 0);
    plain[to + column] = (filtered[from + 1 + column] ?? 0) + predict(filter, left, above, aboveLeft);
  }
}

function predict(filter: number, left: number, above: number, aboveLeft: number): number {
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  return filter === 4 ? paeth(left, above, aboveLeft) : 0;
}

function paeth(left: number, above: number, aboveLeft: number): number {
  const guess = left + above - aboveLeft;
  const byLeft = Math.abs(guess - left);
  const byAbove = Math.abs(guess - above);
  const byBoth = Math.abs(guess - aboveLeft);
  if (byLeft <= byAbove && byLeft <= byBoth) return left;
  return byAbove <= byBoth ? above : aboveLeft;
}
