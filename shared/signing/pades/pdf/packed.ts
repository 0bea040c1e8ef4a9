import { broken } from '../refused.ts';
import { decoded } from './filters.ts';
import { cursorAt, readValue, takeCount } from './parse.ts';
import { countOf, type PdfStream, type PdfValue } from './values.ts';
import { spend, type Work } from './work.ts';

export type Unpacked = { readonly data: Buffer; readonly ids: Int32Array; readonly offsets: Int32Array };

/** Reads objects out of object streams, each unpacked once while memory allows. */
export function createPackedReader(mostBytes: number, work: Work) {
  const unpacked = new Map<number, Unpacked>();
  let heldBytes = 0;
  const keep = (at: number, stream: PdfStream): Unpacked => {
    const made = unpack(stream, mostBytes);
    spend(work, made.data.length);
    heldBytes += made.data.length;
    if (heldBytes > mostBytes) {
      unpacked.clear();
      heldBytes = made.data.length;
    }
    unpacked.set(at, made);
    return made;
  };
  /** `at` is the object stream's offset in the file. */
  return (at: number, id: number, index: number, load: () => PdfStream): PdfValue => {
    const { data, ids, offsets } = unpacked.get(at) ?? keep(at, load());
    const place = ids[index] === id ? index : ids.indexOf(id);
    const offset = offsets[place] ?? broken(`object ${id} is not in its object stream.`);
    const cursor = cursorAt(data, offset);
    const value = readValue(cursor);
    spend(work, cursor.at - offset);
    return value;
  };
}

/** Where each object of an object stream begins in what it unpacks to. */
export function unpack(stream: PdfStream, mostBytes: number): Unpacked {
  const data = decoded(stream, mostBytes);
  const count = countOf(stream.dict.get('N')) ?? broken('an object stream does not count its objects.');
  const first = countOf(stream.dict.get('First')) ?? broken('an object stream does not say where it begins.');
  if (count * 4 > data.length) broken('an object stream is too short for its objects.');
  const ids = new Int32Array(count);
  const offsets = new Int32Array(count);
  const cursor = cursorAt(data, 0);
  for (let index = 0; index < count; index++) {
    ids[index] = takeCount(cursor) ?? broken('an object stream cannot be read.');
    offsets[index] = first + (takeCount(cursor) ?? broken('an object stream cannot be read.'));
  }
  return { data, ids, offsets };
}
