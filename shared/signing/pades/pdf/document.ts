import { type Budget, chargeTime, withScratchMemory } from '../../../bounds/budget.ts';
import { broken } from '../refused.ts';
import { createPdfBudget, LOOKUP_UNITS } from './budget.ts';
import { type Cache, createCache } from './cache.ts';
import { type Chain, readChain } from './chain.ts';
import { createObjectStreamReader } from './object-stream.ts';
import { type IndirectObject, type LengthOf, readObjectAt, valueAt } from './read-object.ts';
import { type OnRef, scanRefs } from './scan-refs.ts';
import type { Source } from './source.ts';
import {
  countOf,
  isArray,
  isDict,
  isRef,
  isStream,
  type PdfArray,
  type PdfDict,
  type PdfObject,
  type PdfRef,
  type PdfStream,
  type PdfValue,
} from './values.ts';
import type { Entry } from './xref.ts';

/** A PDF with its structure. Objects are read on demand. */
export type Pdf = Chain & {
  readonly source: Source;
  readonly trailer: PdfDict;
  readonly budget: Budget;
  readonly objectStreams: ReturnType<typeof createObjectStreamReader>;
  /** Objects by their offset: views of earlier saves read most of them again. */
  readonly cache: Cache<IndirectObject>;
};

/**
 * Reads a PDF's structure, and nothing of its pages. Throws PdfRefused for a file that is no PDF, broken or encrypted.
 * @example const pdf = openPdf(sourceOf(bytes))
 */
export function openPdf(source: Source, budget = createPdfBudget(source.length)): Pdf {
  const chain = readChain(source, budget);
  const trailer = chain.sections[0]?.trailer ?? broken('it has no trailer.');
  if (!isRef(trailer.get('Root'))) broken('its trailer names no catalog.');
  const objectStreams = createObjectStreamReader(source, budget, maxCachedBytes(source));
  const cache = createCache<IndirectObject>(budget, maxCachedBytes(source));
  return { ...chain, source, trailer, budget, objectStreams, cache };
}

const CACHE_FLOOR_BYTES = 1024 * 1024;
const CACHE_BYTES_A_BYTE = 0.5;

/** The limit of each cache: of uncompressed objects, and of compressed ones. */
export const maxCachedBytes = ({ length }: Source): number => CACHE_FLOOR_BYTES + CACHE_BYTES_A_BYTE * length;

/** The document of an earlier save, which had these sections; undefined where they make no document. */
export function viewOf(pdf: Pdf, sections: Pdf['sections']): Pdf | undefined {
  const trailer = sections[0]?.trailer;
  if (!trailer || !isRef(trailer.get('Root'))) return undefined;
  return { ...pdf, sections, trailer };
}

/** The newest entry of an object. A hybrid section's stream adds to its table (ISO 32000-2, 7.5.8.4). */
export function locate({ sections, budget }: Pdf, id: number): Entry | undefined {
  for (const { find, hidden } of sections) {
    chargeTime(budget, LOOKUP_UNITS);
    const entry = find(id);
    if (entry && entry.type !== 'free') return entry;
    const found = hidden?.find(id) ?? entry;
    if (found) return found;
  }
  return undefined;
}

/** The generation of an object; undefined where there is no such object. */
export function generationOf(pdf: Pdf, id: number): number | undefined {
  const entry = locate(pdf, id);
  if (!entry || entry.type === 'free') return undefined;
  return entry.type === 'uncompressed' ? entry.generation : 0;
}

/** An object by its reference. A missing object is null (ISO 32000-2, 7.3.10). */
export function objectOf(pdf: Pdf, { id, generation }: PdfRef): PdfObject {
  const entry = locate(pdf, id);
  if (!entry || entry.type === 'free') return null;
  if (entry.type === 'uncompressed')
    return entry.generation === generation ? uncompressedObject(pdf, id, entry.offset).object : null;
  return generation === 0 ? compressedObject(pdf, id, entry) : null;
}

function uncompressedObject(pdf: Pdf, id: number, offset: number): IndirectObject {
  const at = pdf.base + offset;
  const known = pdf.cache.get(at);
  if (known?.id === id) return known;
  const found = pdf.cache.read(
    at,
    () => readAt(pdf, at, (length) => lengthOf(pdf, length)),
    // A stream's length may be another object, which differs between views.
    ({ object }) => !isStream(object),
  );
  return found?.id === id ? found : broken(`object ${id} is not where the cross-reference says.`);
}

const readAt = (pdf: Pdf, at: number, lengths?: LengthOf): IndirectObject | undefined =>
  readObjectAt(pdf.source, at, pdf.budget, lengths);

/** A stream's length, direct or by reference. */
export function lengthOf(pdf: Pdf, value: PdfValue | undefined): number | undefined {
  const entry = isRef(value) ? locate(pdf, value.id) : undefined;
  if (!isRef(value) || entry?.type !== 'compressed') return uncompressedLengthOf(pdf, value);
  return withScratchMemory(pdf.budget, () => countOf(compressedObject(pdf, value.id, entry)));
}

// The length of an object stream is not in an object stream: unpacking it would need itself.
function uncompressedLengthOf(pdf: Pdf, value: PdfValue | undefined): number | undefined {
  if (!isRef(value)) return countOf(value);
  const entry = locate(pdf, value.id);
  if (entry?.type !== 'uncompressed') return undefined;
  return withScratchMemory(pdf.budget, () => {
    const found = readAt(pdf, pdf.base + entry.offset);
    return found?.id === value.id ? countOf(found.object) : undefined;
  });
}

type CompressedEntry = Extract<Entry, { type: 'compressed' }>;

const compressedObject = (pdf: Pdf, id: number, entry: CompressedEntry): PdfValue =>
  withObjectStream(pdf, id, entry, pdf.objectStreams.read);

function withObjectStream<Result>(
  pdf: Pdf,
  id: number,
  { stream, index }: CompressedEntry,
  use: (at: number, id: number, index: number, load: () => PdfStream) => Result,
): Result {
  const entry = locate(pdf, stream);
  if (entry?.type !== 'uncompressed') return broken(`object stream ${stream} is missing.`);
  const at = pdf.base + entry.offset;
  return use(at, id, index, () => {
    const found = readAt(pdf, at, (length) => uncompressedLengthOf(pdf, length));
    const object = found?.id === stream ? found.object : undefined;
    return isStream(object) ? object : broken(`object stream ${stream} is missing.`);
  });
}

/** Visits every reference in an object of any generation, without holding the object. */
export function eachRefOf(pdf: Pdf, id: number, onRef: OnRef): void {
  const entry = locate(pdf, id);
  if (!entry || entry.type === 'free') return;
  const cursor =
    entry.type === 'compressed'
      ? withObjectStream(pdf, id, entry, pdf.objectStreams.find)
      : valueAt(pdf.source, pdf.base + entry.offset, id, pdf.budget);
  scanRefs(cursor, onRef);
}

const MAX_STEPS = 8; // a reference to a reference is odd, a long chain of them hostile

/** Follows a reference to its object. Other values are returned as they are. @example const kids = resolved(pdf, node.get('Kids')) */
export function resolve(pdf: Pdf, value: PdfValue | undefined): PdfObject {
  let found: PdfObject = value ?? null;
  for (let step = 0; isRef(found) && step < MAX_STEPS; step++) found = objectOf(pdf, found);
  return isRef(found) ? null : found;
}

/** A dictionary, direct or by reference, or undefined. */
export function dictOf(pdf: Pdf, value: PdfValue | undefined): PdfDict | undefined {
  const found = resolve(pdf, value);
  return isDict(found) ? found : undefined;
}

/** An array, direct or by reference; empty where there is none. */
export function arrayOf(pdf: Pdf, value: PdfValue | undefined): PdfArray {
  const found = resolve(pdf, value);
  return isArray(found) ? found : [];
}

export type Catalog = { readonly ref: PdfRef; readonly dict: PdfDict };

export function catalogOf(pdf: Pdf): Catalog {
  const ref = pdf.trailer.get('Root');
  const dict = isRef(ref) && dictOf(pdf, ref);
  return dict ? { ref, dict } : broken('its catalog is missing.');
}
