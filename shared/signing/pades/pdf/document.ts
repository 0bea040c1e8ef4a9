import { broken, PdfRefused } from '../refused.ts';
import { type Chain, mostUnpackedBytes, readChain } from './chain.ts';
import { createPackedReader } from './packed.ts';
import { type Found, readObjectAt } from './read-object.ts';
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
  readonly packed: ReturnType<typeof createPackedReader>;
};

/**
 * Reads a PDF's structure: nothing of its pages. Refused: what is no PDF, is broken or encrypted.
 * @example const pdf = openPdf(sourceOf(bytes))
 */
export function openPdf(source: Source): Pdf {
  const chain = readChain(source);
  const trailer = chain.sections[0]?.trailer ?? broken('it has no trailer.');
  if (chain.sections.some((section) => section.trailer.has('Encrypt')))
    throw new PdfRefused('encrypted', 'The PDF is encrypted. Remove its password or restrictions and retry.');
  if (!isRef(trailer.get('Root'))) broken('its trailer names no catalog.');
  return { ...chain, source, trailer, packed: createPackedReader(mostUnpackedBytes(source)) };
}

/** The document as an earlier save left it, `sections` being what there was of it; undefined where that is no document. */
export function viewOf(pdf: Pdf, sections: Pdf['sections']): Pdf | undefined {
  const trailer = sections[0]?.trailer;
  if (!trailer || !isRef(trailer.get('Root'))) return undefined;
  return { ...pdf, sections, trailer, packed: createPackedReader(mostUnpackedBytes(pdf.source)) };
}

/** Where an object is, by the newest section that tells. */
export function locate({ sections }: Pdf, id: number): Entry | undefined {
  for (const { find, hidden } of sections) {
    const entry = find(id);
    if (entry && entry.type !== 'free') return entry;
    const told = hidden?.find(id) ?? entry;
    if (told) return told;
  }
  return undefined;
}

/** An object by its number; null, as everywhere in PDF, when there is none. */
export function objectOf(pdf: Pdf, { id, generation }: PdfRef): PdfObject {
  const entry = locate(pdf, id);
  if (!entry || entry.type === 'free') return null;
  if (entry.type === 'plain')
    return entry.generation === generation ? plainObject(pdf, id, entry.offset).object : null;
  return generation === 0 ? packedObject(pdf, id, entry) : null;
}

function plainObject(pdf: Pdf, id: number, offset: number): Found {
  const found = readObjectAt(pdf.source, pdf.base + offset, (length) => lengthOf(pdf, length));
  if (found?.id !== id) return broken(`object ${id} is not where the cross-reference says.`);
  return found;
}

/** A stream's length, direct or not. */
export function lengthOf(pdf: Pdf, value: PdfValue | undefined): number | undefined {
  const entry = isRef(value) ? locate(pdf, value.id) : undefined;
  if (!isRef(value) || entry?.type !== 'packed') return plainLengthOf(pdf, value);
  return countOf(packedObject(pdf, value.id, entry));
}

// The length of an object stream is in none, or it would have to be unpacked to be unpacked.
function plainLengthOf(pdf: Pdf, value: PdfValue | undefined): number | undefined {
  if (!isRef(value)) return countOf(value);
  const entry = locate(pdf, value.id);
  const found = entry?.type === 'plain' ? readObjectAt(pdf.source, pdf.base + entry.offset) : undefined;
  return found?.id === value.id ? countOf(found.object) : undefined;
}

function packedObject(pdf: Pdf, id: number, { stream, index }: Extract<Entry, { type: 'packed' }>): PdfValue {
  return pdf.packed(stream, id, index, () => packedStream(pdf, stream));
}

function packedStream(pdf: Pdf, id: number): PdfStream {
  const entry = locate(pdf, id);
  const lengths = (value: PdfValue | undefined): number | undefined => plainLengthOf(pdf, value);
  const found =
    entry?.type === 'plain' ? readObjectAt(pdf.source, pdf.base + entry.offset, lengths) : undefined;
  const stream = found?.id === id ? found.object : undefined;
  return isStream(stream) ? stream : broken(`object stream ${id} is missing.`);
}

const MOST_STEPS = 8; // a reference to a reference is odd, a long row of them hostile

/** A value, or the object that it refers to. @example const kids = resolved(pdf, node.get('Kids')) */
export function resolved(pdf: Pdf, value: PdfValue | undefined): PdfObject {
  let found: PdfObject = value ?? null;
  for (let step = 0; isRef(found) && step < MOST_STEPS; step++) found = objectOf(pdf, found);
  return isRef(found) ? null : found;
}

/** A dictionary, direct or not, or undefined. */
export function dictOf(pdf: Pdf, value: PdfValue | undefined): PdfDict | undefined {
  const found = resolved(pdf, value);
  return isDict(found) ? found : undefined;
}

/** An array, direct or not; nothing where there is none. */
export function arrayOf(pdf: Pdf, value: PdfValue | undefined): PdfArray {
  const found = resolved(pdf, value);
  return isArray(found) ? found : [];
}

export type Catalog = { readonly ref: PdfRef; readonly dict: PdfDict };

export function catalogOf(pdf: Pdf): Catalog {
  const ref = pdf.trailer.get('Root');
  const dict = isRef(ref) && dictOf(pdf, ref);
  return dict ? { ref, dict } : broken('its catalog is missing.');
}
