import { type Budget, chargeTime, withScratchMemory } from '../../../bounds/budget.ts';
import { broken } from '../refused.ts';
import { BULK_BYTE_UNITS, BYTE_UNITS, OBJECT_UNITS } from './budget.ts';
import { createCache } from './cache.ts';
import { maxUnpackedBytes } from './chain.ts';
import { decode } from './filters.ts';
import { type Cursor, cursorAt, readValue, takeCount } from './parse.ts';
import type { Source } from './source.ts';
import { countOf, type PdfStream, type PdfValue } from './values.ts';
import { MAX_OBJECTS } from './xref.ts';

export type UnpackedStream = {
  readonly data: Buffer;
  readonly ids: Int32Array;
  readonly offsets: Int32Array;
};

/** Reads objects out of object streams, each unpacked once while memory allows. */
export function createObjectStreamReader(source: Source, budget: Budget, mostKeptBytes: number) {
  const mostBytes = maxUnpackedBytes(source);
  const kept = createCache<PdfValue>(budget, mostKeptBytes);
  const unpacked = new Map<number, UnpackedStream>();
  let heldBytes = 0;
  const keep = (at: number, stream: PdfStream): UnpackedStream => {
    const made = unpack(stream, mostBytes, budget);
    const bytes = made.data.length + made.ids.byteLength + made.offsets.byteLength;
    heldBytes += bytes;
    if (heldBytes > mostBytes) {
      unpacked.clear();
      heldBytes = bytes;
    }
    unpacked.set(at, made);
    return made;
  };
  /** Where an object begins. `at` is the object stream's offset in the file. */
  const find = (at: number, id: number, index: number, load: () => PdfStream): Cursor => {
    const { data, ids, offsets } = unpacked.get(at) ?? withScratchMemory(budget, () => keep(at, load()));
    chargeTime(budget, OBJECT_UNITS);
    const isInPlace = ids[index] === id;
    if (!isInPlace) chargeTime(budget, BULK_BYTE_UNITS * ids.byteLength);
    const place = isInPlace ? index : ids.indexOf(id);
    const offset = offsets[place] ?? broken(`object ${id} is not in its object stream.`);
    return cursorAt(data, offset, budget);
  };
  const read = (at: number, id: number, index: number, load: () => PdfStream): PdfValue => {
    const key = at * MAX_OBJECTS + id;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const cursor = find(at, id, index, load);
    return (
      kept.read(
        key,
        () => readValue(cursor),
        () => id < MAX_OBJECTS,
      ) ?? null
    );
  };
  return { find, read };
}

/** Where each object of an object stream begins in what it unpacks to. */
export function unpack(stream: PdfStream, mostBytes: number, budget: Budget): UnpackedStream {
  const data = decode(stream, mostBytes, budget);
  const count = countOf(stream.dict.get('N')) ?? broken('an object stream does not count its objects.');
  const first = countOf(stream.dict.get('First')) ?? broken('an object stream does not say where it begins.');
  if (count * 4 > data.length) broken('an object stream is too short for its objects.');
  const ids = new Int32Array(count);
  const offsets = new Int32Array(count);
  const cursor = cursorAt(data, 0, budget);
  for (let index = 0; index < count; index++) {
    ids[index] = takeCount(cursor) ?? broken('an object stream cannot be read.');
    offsets[index] = first + (takeCount(cursor) ?? broken('an object stream cannot be read.'));
  }
  chargeTime(budget, BYTE_UNITS * cursor.at);
  return { data, ids, offsets };
}
