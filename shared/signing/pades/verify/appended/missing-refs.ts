import { chargeList, withScratchMemory } from '../../../../bounds/budget.ts';
import { REF_BYTES, UNLIKE_BYTES } from '../../pdf/budget.ts';
import { eachRefOf, generationOf, locate, type Pdf } from '../../pdf/document.ts';
import { createNumberSet } from '../../pdf/number-set.ts';
import {
  isArray,
  isDict,
  isRef,
  isStream,
  type PdfDict,
  type PdfObject,
  type PdfRef,
  sameRef,
} from '../../pdf/values.ts';
import { isTooComplex, PdfRefused } from '../../refused.ts';

/** A reference of an appended object to an object that the file does not have. */
export type MissingRef = { readonly id: number; readonly ref: PdfRef };

const exists = (pdf: Pdf, { id, generation }: PdfRef): boolean => generationOf(pdf, id) === generation;

/**
 * The references of an object to missing objects. ISO 32000-2, 7.3.10, makes them null, but some readers take the whole
 * file for broken and repair it (incremental saving attack).
 */
export function missingRefsIn(pdf: Pdf, id: number, object: PdfObject): MissingRef[] {
  const found: MissingRef[] = [];
  const visit = (value: PdfObject): void => {
    if (isArray(value)) value.forEach(visit);
    else if (isDict(value)) value.forEach(visit);
    else if (isStream(value)) visit(value.dict);
    else if (isRef(value) && !exists(pdf, value)) {
      chargeList(pdf.budget, UNLIKE_BYTES);
      found.push({ id, ref: value });
    }
  };
  visit(object);
  return found;
}

// The trailer entries that readers follow; they ignore the others. LibreOffice writes the source of a PDF to
// /AdditionalStreams, and PDFBox copies it with the number of a missing object.
const FOLLOWED = [
  ...['Root', 'Info', 'Encrypt', 'ID', 'Size', 'Prev', 'XRefStm'],
  ...['Type', 'W', 'Index', 'Length', 'Filter', 'DecodeParms'],
];

/** The same for the followed entries of a trailer. */
export const missingRefsInTrailer = (pdf: Pdf, id: number, trailer: PdfDict): MissingRef[] =>
  FOLLOWED.flatMap((key) => missingRefsIn(pdf, id, trailer.get(key) ?? null));

/** Whether the signed document had the same reference to a missing object: then it was signed so. */
export function wasMissing(signed: Pdf, { id, ref }: MissingRef): boolean {
  // Each save copies the trailer.
  let isSigned = signed.trailer.values().some((value) => isRef(value) && sameRef(ref, value));
  eachRefOf(signed, id, (met, generation) => {
    if (sameRef(ref, { kind: 'ref', id: met, generation })) isSigned = true;
  });
  return isSigned && !exists(signed, ref);
}

/** Whether the document still refers to one of these removed objects. */
export const reachesAny = (pdf: Pdf, removed: ReadonlySet<number>): boolean =>
  visitReachable(pdf, (id) => removed.has(id));

/** The highest number of an object that the document reaches and has, plus one. */
export function reachableSize(pdf: Pdf): number {
  let size = 0;
  visitReachable(pdf, (id) => {
    const entry = locate(pdf, id);
    // A compressed object needs its object stream.
    if (entry && entry.type !== 'free')
      size = Math.max(size, id + 1, entry.type === 'compressed' ? entry.stream + 1 : 0);
    return false;
  });
  return size;
}

// Visits every object that the document reaches, until one is found.
function visitReachable(pdf: Pdf, isFound: (id: number) => boolean): boolean {
  const seen = createNumberSet(pdf.budget);
  const queue: number[] = [];
  const meet = (id: number): void => {
    if (seen.has(id)) return;
    seen.add(id);
    chargeList(pdf.budget, REF_BYTES);
    queue.push(id);
  };
  for (const key of FOLLOWED) {
    const value = pdf.trailer.get(key);
    if (isRef(value)) meet(value.id);
  }
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (isFound(id)) return true;
    const next = id;
    withScratchMemory(pdf.budget, () => followRefs(pdf, next, meet));
  }
  return false;
}

function followRefs(pdf: Pdf, id: number, meet: (id: number) => void): void {
  try {
    eachRefOf(pdf, id, meet);
  } catch (error) {
    // Readers show nothing of an unreadable object.
    if (!(error instanceof PdfRefused) || isTooComplex(error)) throw error;
  }
}
