import { constants, inflateSync } from 'node:zlib';
import { type Budget, chargeTime } from '../../../bounds/budget.ts';
import { broken, tooComplex } from '../refused.ts';
import { UNPACKED_BYTE_UNITS, UNPREDICTED_BYTE_UNITS } from './budget.ts';
import { undoPngFilters } from './predictor.ts';
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

const PNG_PREDICTORS = 10; // this one and those above

/** What a cross-reference or object stream holds. It may not grow past `mostBytes`: a few bytes can unpack to gigabytes. */
export function decode({ dict, raw }: PdfStream, mostBytes: number, budget: Budget): Buffer {
  const filter = nameOf(onlyItem(dict.get('Filter')));
  if (filter === undefined) return raw;
  if (filter !== 'FlateDecode') broken(`its structure is packed with ${filter}, which is not read here.`);
  const parameters = onlyItem(dict.get('DecodeParms'));
  const unpacked = inflate(raw, mostBytes);
  chargeTime(budget, UNPACKED_BYTE_UNITS * (raw.length + unpacked.length));
  return undoPredictor(unpacked, isDict(parameters) ? parameters : new Map(), budget);
}

// Several filters in a row are never used for structure, nor are they objects of their own, which it is needed to find.
function onlyItem(value: PdfValue | undefined): PdfValue | undefined {
  if (isArray(value) && value.length > 1) broken('its structure is packed more than once.');
  const found = isArray(value) ? value[0] : value;
  return isRef(found) ? broken('how its structure is packed stands in another object.') : found;
}

// In one chunk, what is unpacked need not be put together from many, which takes it twice.
const USUAL_RATIO = 8;
const MIN_CHUNK_BYTES = 4096;

function inflate(raw: Buffer, mostBytes: number): Buffer {
  try {
    // Writers are known to leave the checksum at the end out.
    return inflateSync(raw, {
      finishFlush: constants.Z_SYNC_FLUSH,
      maxOutputLength: mostBytes,
      chunkSize: Math.min(mostBytes, Math.max(MIN_CHUNK_BYTES, USUAL_RATIO * raw.length)),
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
    broken(`its structure uses predictor ${predictor}, which is not read here.`);
  const columns = countOf(parameters.get('Columns')) ?? 1;
  const colors = countOf(parameters.get('Colors')) ?? 1;
  const bits = countOf(parameters.get('BitsPerComponent')) ?? 8;
  if (columns * colors * bits === 0 || columns * colors * bits > bytes.length * 8)
    broken('a predictor is given rows larger than what they hold.');
  chargeTime(budget, UNPREDICTED_BYTE_UNITS * bytes.length);
  return undoPngFilters(bytes, { columns, colors, bits });
}
