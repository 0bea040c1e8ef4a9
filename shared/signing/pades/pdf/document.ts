import { broken, PdfRefused } from '../refused.ts';
import { type Chain, mostUnpackedBytes, readChain } from './chain.ts';
import { createPackedReader } from './packed.ts';
import { type Found, type Lengths, readObjectAt } from './read-object.ts';
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
  type PdfValue,
} from './values.ts';
import { spend, type Work, workFor } from './work.ts';
import type { Entry } from './xref.ts';

/** A PDF whose structure is known. Objects are read when they are asked for. */
export type Pdf = Chain & {
  readonly source: Source;
  readonly trailer: PdfDict;
  readonly work: Work;
  readonly packed: ReturnType<typeof createPackedReader>;
  /** Objects read before, by their offset: views of earlier saves read most of them again. */
  readonly kept: Map<number, Found>;
};

/**
 * Reads a PDF's structure: nothing of its pages. Refused: what is no PDF, is broken or encrypted.
 * @example const pdf = openPdf(sourceOf(bytes))
 */
export function openPdf(source: Source): Pdf {
  const work = workFor(source.length);
  const chain = readChain(source, work);
  const trailer = chain.sections[0]?.trailer ?? broken('it has no trailer.');
  if (chain.sections.some((section) => section.trailer.has('Encrypt')))
    throw new PdfRefused('encrypted', 'The PDF is encrypted. Remove its password or restrictions and retry.');
  if (!isRef(trailer.get('Root'))) broken('its trailer names no catalog.');
  const packed = createPackedReader(mostUnpackedBytes(source), work);
  return { ...chain, source, trailer, work, packed, kept: new Map() };
}

/** The document as an earlier save left it, `sections` being what there was of it; undefined where that is no document. */
export function viewOf(pdf: Pdf, sections: Pdf['sections']): Pdf | undefined {
  const trailer = sections[0]?.trailer;
  if (!trailer || !isRef(trailer.get('Root'))) return undefined;
  return { ...pdf, sections, trailer };
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

const MOST_KEPT = 10_000;

function plainObject(pdf: Pdf, id: number, offset: number): Found {
  const at = pdf.base + offset;
  const known = pdf.kept.get(at);
  if (known?.id === id) return known;
  const found = readAt(pdf, at, (length) => lengthOf(pdf, length));
  if (found?.id !== id) return broken(`object ${id} is not where the cross-reference says.`);
  // A stream depends on its length, which is an object too and another one in each view.
  if (!isStream(found.object)) {
    if (pdf.kept.size >= MOST_KEPT) pdf.kept.clear();
    pdf.kept.set(at, found);
  }
  return found;
}

function readAt(pdf: Pdf, at: number, lengths?: Lengths): Found | undefined {
  const found = readObjectAt(pdf.source, at, lengths);
  if (found) spend(pdf.work, found.readBytes);
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
  const found = entry?.type === 'plain' ? readAt(pdf, pdf.base + entry.offset) : undefined;
  return found?.id === value.id ? countOf(found.object) : undefined;
}

function packedObject(pdf: Pdf, id: number, { stream, index }: Extract<Entry, { type: 'packed' }>): PdfValue {
  const entry = locate(pdf, stream);
  if (entry?.type !== 'plain') return broken(`object stream ${stream} is missing.`);
  const at = pdf.base + entry.offset;
  return pdf.packed(at, id, index, () => {
    const found = readAt(pdf, at, (length) => plainLengthOf(pdf, length));
    const object = found?.id === stream ? found.object : undefined;
    return isStream(object) ? object : broken(`object stream ${stream} is missing.`);
  });
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
