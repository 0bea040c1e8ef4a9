import { chargeList, chargeMemory, chargeTime, withScratchMemory } from '../../../../bounds/budget.ts';
import { LISTED_BYTES, LOOKUP_UNITS, MEMBER_BYTES } from '../../pdf/budget.ts';
import { maxUnpackedBytes } from '../../pdf/chain.ts';
import { lengthOf, type Pdf } from '../../pdf/document.ts';
import { unpack } from '../../pdf/object-stream.ts';
import { cursorAt, readValue } from '../../pdf/parse.ts';
import { type IndirectObject, readObjectAt } from '../../pdf/read-object.ts';
import { isStream } from '../../pdf/values.ts';
import { type MissingRef, missingRefsIn, missingRefsInTrailer } from './missing-refs.ts';
import { isPlainlyCompressed } from './plain-syntax.ts';

/** An appended object, read as strictly as possible. */
export type StrictObject = Omit<IndirectObject, 'object'> & {
  /** Whether the cross-reference lists every object inside of it. */
  readonly isContentListed: boolean;
  readonly missingRefs: readonly MissingRef[];
};

const NO_OBJECT: StrictObject = {
  id: 0,
  generation: 0,
  end: 0,
  isExact: false,
  isContentListed: false,
  missingRefs: [],
};

// An update is checked for every signature before it, with the same result: its objects are read once for all of them.
const objectsOf = new WeakMap<Pdf, Map<number, StrictObject>>();

/** Reads the object at this offset. `isSection`: it is a cross-reference stream. */
export function readStrictly(pdf: Pdf, at: number, isSection: boolean): StrictObject {
  const objects = objectsOf.get(pdf) ?? new Map<number, StrictObject>();
  objectsOf.set(pdf, objects);
  const known = objects.get(at);
  if (known) return known;
  chargeList(pdf.budget, LISTED_BYTES);
  const found = readObjectAt(pdf.source, at, pdf.budget, (length) => lengthOf(pdf, length), true);
  const { id, generation, end, isExact } = found ?? NO_OBJECT;
  const missingRefs = found ? missingRefsAt(pdf, found, isSection) : [];
  const isContentListed = found !== undefined && isExact && areCompressedListed(pdf, found, missingRefs);
  const object = { id, generation, end, isExact, isContentListed, missingRefs };
  objects.set(at, object);
  return object;
}

const missingRefsAt = (pdf: Pdf, { id, object }: IndirectObject, isSection: boolean): MissingRef[] =>
  isSection && isStream(object) ? missingRefsInTrailer(pdf, id, object.dict) : missingRefsIn(pdf, id, object);

// Compressed objects must be as unambiguous as uncompressed ones, and listed. Their missing references are added.
function areCompressedListed(
  pdf: Pdf,
  { id: stream, object }: IndirectObject,
  missingRefs: MissingRef[],
): boolean {
  const { source, sections, budget } = pdf;
  if (!isStream(object)) return true;
  // Incremental saving attack: an object stream may hide its /Type. Readers that repair files go by /First alone.
  const isObjectStream = object.dict.has('First');
  if ((isObjectStream || object.dict.has('W')) && !isPlainlyCompressed(object.dict)) return false;
  if (!isObjectStream) return true;
  const { data, ids, offsets } = unpack(object, maxUnpackedBytes(source), budget);
  for (const [at, offset] of offsets.entries())
    withScratchMemory(budget, () => {
      const value = readValue(cursorAt(data, offset, budget, true));
      missingRefs.push(...missingRefsIn(pdf, ids[at] ?? 0, value));
    });
  chargeTime(budget, LOOKUP_UNITS * ids.length * sections.length);
  chargeMemory(budget, MEMBER_BYTES * ids.length);
  const isListedHere = (id: number, at: number): boolean =>
    sections.some(({ find, hidden }) =>
      [find(id), hidden?.find(id)].some(
        (entry) => entry?.type === 'compressed' && entry.stream === stream && entry.index === at,
      ),
    );
  // Of two objects with one number, some readers take the first and some the listed one (shadow attack, replace).
  return new Set(ids).size === ids.length && ids.every(isListedHere);
}
