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

/** Reads compressed objects. Each object stream is unpacked once, while memory allows (ISO 32000-2, 7.5.7). */
export function createObjectStreamReader(source: Source, budget: Budget, maxCachedBytes: number) {
  const maxBytes = maxUnpackedBytes(source);
  const cache = createCache<PdfValue>(budget, maxCachedBytes);
  const unpacked = new Map<number, UnpackedStream>();
  let heldBytes = 0;
  const unpackOnce = (at: number, stream: PdfStream): UnpackedStream => {
    const content = unpack(stream, maxBytes, budget);
    const bytes = content.data.length + content.ids.byteLength + content.offsets.byteLength;
    heldBytes += bytes;
    if (heldBytes > maxBytes) {
      unpacked.clear();
      heldBytes = bytes;
    }
    unpacked.set(at, content);
    return content;
  };
  /** Returns a cursor at the object. `at` is the object stream's offset in the file. */
  const find = (at: number, id: number, index: number, load: () => PdfStream): Cursor => {
    const { data, ids, offsets } =
      unpacked.get(at) ?? withScratchMemory(budget, () => unpackOnce(at, load()));
    chargeTime(budget, OBJECT_UNITS);
    const isAtIndex = ids[index] === id;
    if (!isAtIndex) chargeTime(budget, BULK_BYTE_UNITS * ids.byteLength);
    const found = isAtIndex ? index : ids.indexOf(id);
    const offset = offsets[found] ?? broken(`object ${id} is not in its object stream.`);
    return cursorAt(data, offset, budget);
  };
  const read = (at: number, id: number, index: number, load: () => PdfStream): PdfValue => {
    const key = at * MAX_OBJECTS + id;
    const known = cache.get(key);
    if (known !== undefined) return known;
    const cursor = find(at, id, index, load);
    return (
      cache.read(
        key,
        () => readValue(cursor),
        () => id < MAX_OBJECTS,
      ) ?? null
    );
  };
  return { find, read };
}

/** Unpacks an object stream, with the offset of each of its objects. */
export function unpack(stream: PdfStream, maxBytes: number, budget: Budget): UnpackedStream {
  const data = decode(stream, maxBytes, budget);
  const count = countOf(stream.dict.get('N')) ?? broken('an object stream has no /N.');
  const first = countOf(stream.dict.get('First')) ?? broken('an object stream has no /First.');
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
