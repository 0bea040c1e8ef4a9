import { type Budget, chargeTime, withScratchMemory } from '../../../bounds/budget.ts';
import { broken } from '../refused.ts';
import { createPdfBudget, LOOKUP_UNITS } from './budget.ts';
import { type Cache, createCache } from './cache.ts';
import { type Chain, readChain } from './chain.ts';
import { refuseEncrypted } from './encrypted.ts';
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

/** A PDF whose structure is known. Objects are read when they are asked for. */
export type Pdf = Chain & {
  readonly source: Source;
  readonly trailer: PdfDict;
  readonly budget: Budget;
  readonly packed: ReturnType<typeof createObjectStreamReader>;
  /** Objects read before, by their offset: views of earlier saves read most of them again. */
  readonly kept: Cache<IndirectObject>;
};

/**
 * Reads a PDF's structure: nothing of its pages. Refused: what is no PDF, is broken or encrypted.
 * @example const pdf = openPdf(sourceOf(bytes))
 */
export function openPdf(source: Source, budget = createPdfBudget(source.length)): Pdf {
  const chain = refuseEncrypted(source, budget, () => readChain(source, budget));
  const trailer = chain.sections[0]?.trailer ?? broken('it has no trailer.');
  if (!isRef(trailer.get('Root'))) broken('its trailer names no catalog.');
  const packed = createObjectStreamReader(source, budget, maxCachedBytes(source));
  const kept = createCache<IndirectObject>(budget, maxCachedBytes(source));
  return { ...chain, source, trailer, budget, packed, kept };
}

const CACHE_FLOOR_BYTES = 1024 * 1024;
const CACHE_BYTES_A_BYTE = 0.5;

/** How much is kept of what was read: of plain objects, and of packed ones. */
export const maxCachedBytes = ({ length }: Source): number => CACHE_FLOOR_BYTES + CACHE_BYTES_A_BYTE * length;

/** The document as an earlier save left it, `sections` being what there was of it; undefined where that is no document. */
export function viewOf(pdf: Pdf, sections: Pdf['sections']): Pdf | undefined {
  const trailer = sections[0]?.trailer;
  if (!trailer || !isRef(trailer.get('Root'))) return undefined;
  return { ...pdf, sections, trailer };
}

/** Where an object is, by the newest section that tells. */
export function locate({ sections, budget }: Pdf, id: number): Entry | undefined {
  for (const { find, hidden } of sections) {
    chargeTime(budget, LOOKUP_UNITS);
    const entry = find(id);
    if (entry && entry.type !== 'free') return entry;
    const told = hidden?.find(id) ?? entry;
    if (told) return told;
  }
  return undefined;
}

/** In which generation an object is there; undefined where it is not. */
export function generationOf(pdf: Pdf, id: number): number | undefined {
  const entry = locate(pdf, id);
  if (!entry || entry.type === 'free') return undefined;
  return entry.type === 'plain' ? entry.generation : 0;
}

/** An object by its number; null, as everywhere in PDF, when there is none. */
export function objectOf(pdf: Pdf, { id, generation }: PdfRef): PdfObject {
  const entry = locate(pdf, id);
  if (!entry || entry.type === 'free') return null;
  if (entry.type === 'plain')
    return entry.generation === generation ? uncompressedObject(pdf, id, entry.offset).object : null;
  return generation === 0 ? compressedObject(pdf, id, entry) : null;
}

function uncompressedObject(pdf: Pdf, id: number, offset: number): IndirectObject {
  const at = pdf.base + offset;
  const known = pdf.kept.get(at);
  if (known?.id === id) return known;
  const found = pdf.kept.read(
    at,
    () => readAt(pdf, at, (length) => lengthOf(pdf, length)),
    // A stream depends on its length, which is an object too and another one in each view.
    ({ object }) => !isStream(object),
  );
  return found?.id === id ? found : broken(`object ${id} is not where the cross-reference says.`);
}

const readAt = (pdf: Pdf, at: number, lengths?: LengthOf): IndirectObject | undefined =>
  readObjectAt(pdf.source, at, pdf.budget, lengths);

/** A stream's length, direct or not. */
export function lengthOf(pdf: Pdf, value: PdfValue | undefined): number | undefined {
  const entry = isRef(value) ? locate(pdf, value.id) : undefined;
  if (!isRef(value) || entry?.type !== 'packed') return uncompressedLengthOf(pdf, value);
  return withScratchMemory(pdf.budget, () => countOf(compressedObject(pdf, value.id, entry)));
}

// The length of an object stream is in none, or it would have to be unpacked to be unpacked.
function uncompressedLengthOf(pdf: Pdf, value: PdfValue | undefined): number | undefined {
  if (!isRef(value)) return countOf(value);
  const entry = locate(pdf, value.id);
  if (entry?.type !== 'plain') return undefined;
  return withScratchMemory(pdf.budget, () => {
    const found = readAt(pdf, pdf.base + entry.offset);
    return found?.id === value.id ? countOf(found.object) : undefined;
  });
}

type CompressedEntry = Extract<Entry, { type: 'packed' }>;

const compressedObject = (pdf: Pdf, id: number, entry: CompressedEntry): PdfValue =>
  withObjectStream(pdf, id, entry, pdf.packed.read);

function withObjectStream<Result>(
  pdf: Pdf,
  id: number,
  { stream, index }: CompressedEntry,
  use: (at: number, id: number, index: number, load: () => PdfStream) => Result,
): Result {
  const entry = locate(pdf, stream);
  if (entry?.type !== 'plain') return broken(`object stream ${stream} is missing.`);
  const at = pdf.base + entry.offset;
  return use(at, id, index, () => {
    const found = readAt(pdf, at, (length) => uncompressedLengthOf(pdf, length));
    const object = found?.id === stream ? found.object : undefined;
    return isStream(object) ? object : broken(`object stream ${stream} is missing.`);
  });
}

/** Goes over an object for what it refers to, whatever its generation, without holding it. */
export function eachRefOf(pdf: Pdf, id: number, onRef: OnRef): void {
  const entry = locate(pdf, id);
  if (!entry || entry.type === 'free') return;
  const cursor =
    entry.type === 'packed'
      ? withObjectStream(pdf, id, entry, pdf.packed.find)
      : valueAt(pdf.source, pdf.base + entry.offset, id, pdf.budget);
  scanRefs(cursor, onRef);
}

const MAX_STEPS = 8; // a reference to a reference is odd, a long row of them hostile

/** A value, or the object that it refers to. @example const kids = resolved(pdf, node.get('Kids')) */
export function resolve(pdf: Pdf, value: PdfValue | undefined): PdfObject {
  let found: PdfObject = value ?? null;
  for (let step = 0; isRef(found) && step < MAX_STEPS; step++) found = objectOf(pdf, found);
  return isRef(found) ? null : found;
}

/** A dictionary, direct or not, or undefined. */
export function dictOf(pdf: Pdf, value: PdfValue | undefined): PdfDict | undefined {
  const found = resolve(pdf, value);
  return isDict(found) ? found : undefined;
}

/** An array, direct or not; nothing where there is none. */
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
