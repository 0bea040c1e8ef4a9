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

/** A reference of an appended object to what the file does not hold. */
export type MissingRef = { readonly id: number; readonly ref: PdfRef };

/** Whether an object is there, in the generation that is asked for. */
const exists = (pdf: Pdf, { id, generation }: PdfRef): boolean => generationOf(pdf, id) === generation;

/** Which references of an object lead nowhere. Some readers that follow one take the whole file for broken, and repair it. */
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

// What readers follow of a trailer, or of a cross-reference stream. They look at nothing else: LibreOffice names the
// file that a PDF was made of in /AdditionalStreams, and PDFBox gives it a number that nothing has.
const FOLLOWED = [
  ...['Root', 'Info', 'Encrypt', 'ID', 'Size', 'Prev', 'XRefStm'],
  ...['Type', 'W', 'Index', 'Length', 'Filter', 'DecodeParms'],
];

/** The same for a trailer, in what readers follow of it. */
export const missingRefsInTrailer = (pdf: Pdf, id: number, trailer: PdfDict): MissingRef[] =>
  FOLLOWED.flatMap((key) => missingRefsIn(pdf, id, trailer.get(key) ?? null));

/** Whether it led nowhere from there when the document was signed: then it was signed so. */
export function wasMissing(signed: Pdf, { id, ref }: MissingRef): boolean {
  // Each save copies what the trailer says.
  let isHeld = signed.trailer.values().some((value) => isRef(value) && sameRef(ref, value));
  eachRefOf(signed, id, (met, generation) => {
    if (sameRef(ref, { kind: 'ref', id: met, generation })) isHeld = true;
  });
  return isHeld && !exists(signed, ref);
}

/** Whether the document still refers to one of these objects, which were taken away. */
export const reachesAny = (pdf: Pdf, removed: ReadonlySet<number>): boolean =>
  visitReachable(pdf, (id) => removed.has(id));

/** One more than the highest number of an object that the document refers to and holds. */
export function reachableSize(pdf: Pdf): number {
  let size = 0;
  visitReachable(pdf, (id) => {
    const entry = locate(pdf, id);
    // Without its object stream an object is not there either.
    if (entry && entry.type !== 'free')
      size = Math.max(size, id + 1, entry.type === 'compressed' ? entry.stream + 1 : 0);
    return false;
  });
  return size;
}

// Every object that the document refers to, until one is found.
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
    // Nothing is shown of what cannot be read.
    if (!(error instanceof PdfRefused) || isTooComplex(error)) throw error;
  }
}
