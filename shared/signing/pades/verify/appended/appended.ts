import {
  type Budget,
  chargeList,
  chargeMemory,
  chargeTime,
  withScratchMemory,
} from '../../../../bounds/budget.ts';
import { BULK_BYTE_UNITS, LISTED_BYTES, LOOKUP_UNITS, MEMBER_BYTES } from '../../pdf/budget.ts';
import { maxUnpackedBytes } from '../../pdf/chain.ts';
import { isDigit, skipFewBlanks } from '../../pdf/characters.ts';
import { generationOf, lengthOf, locate, type Pdf } from '../../pdf/document.ts';
import { unpack } from '../../pdf/object-stream.ts';
import { type Cursor, cursorAt, readValue, skipBlank, takeCount, takeWord } from '../../pdf/parse.ts';
import { type IndirectObject, readObjectAt } from '../../pdf/read-object.ts';
import { readTable } from '../../pdf/read-xref.ts';
import { countOf, isStream } from '../../pdf/values.ts';
import { objectsPlacedBy, type Section, sizeOf } from '../../pdf/xref.ts';
import { broken, isTooComplex, PdfRefused } from '../../refused.ts';
import { isBlankFrom, MAX_BLANK_BYTES } from '../byte-range.ts';
import { type Change, modification } from '../changes.ts';
import { isSameLocation } from '../compare/values.ts';
import {
  type MissingRef,
  missingRefsIn,
  missingRefsInTrailer,
  reachableSize,
  reachesAny,
  wasMissing,
} from './missing-refs.ts';
import { isPlainlyCompressed, isPlainSection, isPlainStart, isPlainTable } from './plain-syntax.ts';

/**
 * Whether everything after `start` is what saving a PDF appends: objects that the cross-reference lists where they
 * stand, its sections, and ends of file. Anything else is read by readers that repair files, and by no one else,
 * so that they would show another document than the one judged here.
 */
export function findUnaccounted(pdf: Pdf, signed: Pdf, file: Buffer, start: number): Change[] {
  const cursor = cursorAt(file, start, pdf.budget, true);
  try {
    const listed = listParts(pdf, signed, file, start);
    const moved = findMovedObject(pdf, signed, file, start);
    if (moved !== undefined)
      return [modification(`Object ${moved} was moved to where the signed document does not have it.`)];
    const removed = removedSince(pdf, signed);
    if (removed.size > 0 && reachesAny(pdf, removed))
      return [modification('An object that the document refers to was taken away.')];
    const last = new Map<number, number>();
    for (skipBlank(cursor); cursor.at < file.length; skipBlank(cursor)) {
      const { at } = cursor;
      if (!withScratchMemory(pdf.budget, () => takePart(pdf, signed, listed, last, cursor)))
        return [unaccountedAt(at)];
    }
    // A reader that repairs takes the last object of each number: it must be the one that counts.
    const superseded = [...last].find(([id, at]) => !isNewest(pdf, file, id, at));
    if (superseded) return [unaccountedAt(superseded[1])];
    return hasProperEnd(file, file.length, pdf.budget)
      ? []
      : [modification('The file does not end as a PDF must.')];
  } catch (error) {
    if (!(error instanceof PdfRefused) || isTooComplex(error)) throw error;
    return [unaccountedAt(cursor.at)];
  }
}

const unaccountedAt = (at: number): Change =>
  modification(`Something that no cross-reference accounts for was appended, at byte ${at} of the file.`);

function isNewest(pdf: Pdf, file: Buffer, id: number, at: number): boolean {
  const entry = locate(pdf, id);
  if (entry?.type === 'uncompressed') return skipFewBlanks(file, pdf.base + entry.offset) === at;
  const container = entry?.type === 'compressed' ? locate(pdf, entry.stream) : undefined;
  return container?.type === 'uncompressed' && pdf.base + container.offset > at;
}

/** Whether the bytes up to `end` close with the place of the cross-reference and the mark of the end. */
export function hasProperEnd(file: Buffer, end: number, budget: Budget): boolean {
  const bytes = file.subarray(0, end);
  const at = bytes.lastIndexOf('startxref', undefined, 'latin1');
  chargeTime(budget, BULK_BYTE_UNITS * (end - Math.max(0, at)));
  const cursor = cursorAt(bytes, at + 'startxref'.length, budget);
  takeCount(cursor);
  const mark = bytes.indexOf('%%EOF', cursor.at, 'latin1');
  const isNext =
    mark >= 0 && mark - cursor.at <= MAX_BLANK_BYTES && !bytes.toString('latin1', cursor.at, mark).trim();
  return isNext && isBlankFrom(bytes, mark + '%%EOF'.length);
}

// An object stands where the signed document has it, or is appended. Anything else that was signed along was never
// shown, nor read as strictly as what is appended.
function findMovedObject(pdf: Pdf, signed: Pdf, file: Buffer, start: number): number | undefined {
  const [last] = signed.sections;
  for (const section of pdf.sections) {
    if (section.at === last?.at) return undefined;
    for (const each of section.hidden ? [section, section.hidden] : [section])
      for (const { first, count } of each.runs)
        for (let id = first; id < first + count; id++)
          if (
            (each !== section && isFreeInTableOnly(section, signed, id)) ||
            isMoved(pdf, signed, file, id, start)
          )
            return id;
  }
  return undefined;
}

// Free in the table and listed beside it, an object of the signed document is gone to some readers.
const isFreeInTableOnly = (table: Section, signed: Pdf, id: number): boolean =>
  table.find(id)?.type === 'free' && isListed(signed, id);

// Who follows a reference to an object that is gone, or of another generation, may take the file for broken.
function removedSince(pdf: Pdf, signed: Pdf): Set<number> {
  const removed = new Set<number>();
  const [last] = signed.sections;
  for (const { at, runs } of pdf.sections) {
    if (at === last?.at) break;
    for (const { first, count } of runs)
      for (let id = first; id < first + count; id++) {
        if (!isListed(signed, id) || generationOf(pdf, id) === generationOf(signed, id)) continue;
        chargeList(pdf.budget, LISTED_BYTES);
        removed.add(id);
      }
  }
  return removed;
}

const isListed = (pdf: Pdf, id: number): boolean => generationOf(pdf, id) !== undefined;

function isMoved(pdf: Pdf, signed: Pdf, file: Buffer, id: number, start: number): boolean {
  const entry = locate(pdf, id);
  const place = entry?.type === 'compressed' ? locate(pdf, entry.stream) : entry;
  if (place?.type !== 'uncompressed' || skipFewBlanks(file, pdf.base + place.offset) >= start) return false;
  return !isSameLocation(signed, pdf, id);
}

type ListedParts = {
  /** By their places, whether they say of themselves what all readers understand. */
  readonly sections: ReadonlyMap<number, boolean>;
  readonly objects: ReadonlyMap<number, string>;
};

// What the newer sections place, by its offset in the file.
function listParts(pdf: Pdf, signed: Pdf, file: Buffer, start: number): ListedParts {
  const { sections, base, budget } = pdf;
  const objects = new Map<number, string>();
  for (const section of sections.filter(({ at }) => base + at >= start))
    for (const each of [section, ...(section.hidden ? [section.hidden] : [])]) {
      for (const { count } of each.runs) chargeTime(budget, LOOKUP_UNITS * count);
      if (each !== section) refuseConflictingEntries(section, each);
      for (const { id, generation, offset } of objectsPlacedBy(each)) {
        chargeMemory(budget, LISTED_BYTES);
        const [place, named] = [skipFewBlanks(file, base + offset), `${id} ${generation}`];
        // One of them is not there, so that readers which check every entry repair the file.
        if ((objects.get(place) ?? named) !== named) broken(`objects stand in one place: ${named}.`);
        objects.set(place, named);
      }
    }
  const places = new Map<number, boolean>();
  const leastSize = createMinSize(signed);
  let size = 0;
  for (const section of sections.toReversed()) {
    size = Math.max(size, sizeOf(section));
    places.set(base + section.at, isPlainSection(section, leastSize(section, size)));
    if (section.hidden) places.set(base + section.hidden.at, isPlainSection(section.hidden, 0));
  }
  return { sections: places, objects };
}

// Listed on both sides of a hybrid section, an object is one where both say the same: PDFBox writes them so. Else it
// is another object to each kind of reader.
function refuseConflictingEntries(table: Section, hidden: Section): void {
  for (const { first, count } of hidden.runs)
    for (let id = first; id < first + count; id++) {
      const [one, other] = [table.find(id), hidden.find(id)];
      if (one?.type !== 'uncompressed' || other === undefined) continue;
      const isOne =
        other.type === 'uncompressed' && one.offset === other.offset && one.generation === other.generation;
      if (!isOne) broken(`object ${id} is in two places.`);
    }
}

// A reader may take objects from /Size on as missing (ISO 32000-1, 7.5.5). A writer that counts too few of its own is
// let pass; one that hides something of the signed document, which that showed, is not.
function createMinSize(signed: Pdf): (section: Section, size: number) => number {
  let shown: number | undefined;
  return ({ trailer }, size) => {
    if ((countOf(trailer.get('Size')) ?? 0) >= size) return size;
    shown ??= Math.min(reachableSize(signed), countOf(signed.trailer.get('Size')) ?? size);
    return Math.min(size, shown);
  };
}

function takePart(
  pdf: Pdf,
  signed: Pdf,
  listed: ListedParts,
  last: Map<number, number>,
  cursor: Cursor,
): boolean {
  const { bytes, at } = cursor;
  if (isDigit(bytes[at])) return takeObject(pdf, signed, listed, last, cursor);
  if (takeWord(cursor, 'xref')) {
    const { trailer } = readTable(cursor, at);
    const isWhole = missingRefsInTrailer(pdf, 0, trailer).every((each) => wasMissing(signed, each));
    return isWhole && listed.sections.get(at) === true && isPlainTable(cursor, at);
  }
  if (!takeWord(cursor, 'startxref')) return false;
  const offset = takeCount(cursor);
  if (offset === undefined || !isPlainStart(cursor, at)) return false;
  return listed.sections.has(skipFewBlanks(bytes, pdf.base + offset));
}

function takeObject(
  pdf: Pdf,
  signed: Pdf,
  listed: ListedParts,
  last: Map<number, number>,
  cursor: Cursor,
): boolean {
  const { at } = cursor;
  const isSection = listed.sections.has(at);
  const found = readStrictly(pdf, at, isSection);
  if (!found.isExact) return false;
  if (listed.sections.get(at) === false) return false;
  if (!isSection && listed.objects.get(at) !== `${found.id} ${found.generation}`) return false;
  if (!isSection) last.set(found.id, at);
  cursor.at = found.end;
  return found.areCompressedListed_ && found.missingRefs.every((each) => wasMissing(signed, each));
}

type StrictObject = Omit<IndirectObject, 'object'> & {
  readonly areCompressedListed_: boolean;
  readonly missingRefs: readonly MissingRef[];
};

const NO_OBJECT: StrictObject = {
  id: 0,
  generation: 0,
  end: 0,
  isExact: false,
  areCompressedListed_: false,
  missingRefs: [],
};

// A save is appended to every signature before it, and is the same to each: it is read once for all of them.
const readBefore = new WeakMap<Pdf, Map<number, StrictObject>>();

function readStrictly(pdf: Pdf, at: number, isSection: boolean): StrictObject {
  const read = readBefore.get(pdf) ?? new Map<number, StrictObject>();
  readBefore.set(pdf, read);
  const before = read.get(at);
  if (before) return before;
  chargeList(pdf.budget, LISTED_BYTES);
  const found = readObjectAt(pdf.source, at, pdf.budget, (length) => lengthOf(pdf, length), true);
  const { id, generation, end, isExact } = found ?? NO_OBJECT;
  const missingRefs = found ? missingRefsAt(pdf, found, isSection) : [];
  const areCompressedListed_ = found !== undefined && isExact && areCompressedListed(pdf, found, missingRefs);
  const made = { id, generation, end, isExact, areCompressedListed_, missingRefs };
  read.set(at, made);
  return made;
}

const missingRefsAt = (pdf: Pdf, { id, object }: IndirectObject, isSection: boolean): MissingRef[] =>
  isSection && isStream(object) ? missingRefsInTrailer(pdf, id, object.dict) : missingRefsIn(pdf, id, object);

// What is packed must be as plain to read as what is not, and listed as well.
function areCompressedListed(
  pdf: Pdf,
  { id: stream, object }: IndirectObject,
  missingRefs: MissingRef[],
): boolean {
  const { source, sections, budget } = pdf;
  if (!isStream(object)) return true;
  // Whatever type it names, this key alone makes a stream one that objects are read out of.
  const isPacked = object.dict.has('First');
  if ((isPacked || object.dict.has('W')) && !isPlainlyCompressed(object.dict)) return false;
  if (!isPacked) return true;
  const { data, ids, offsets } = unpack(object, maxUnpackedBytes(source), budget);
  for (const [at, offset] of offsets.entries())
    withScratchMemory(budget, () => {
      const value = readValue(cursorAt(data, offset, budget, true));
      missingRefs.push(...missingRefsIn(pdf, ids[at] ?? 0, value));
    });
  chargeTime(budget, LOOKUP_UNITS * ids.length * sections.length);
  chargeMemory(budget, MEMBER_BYTES * ids.length);
  const isPackedHere = (id: number, at: number): boolean =>
    sections.some(({ find, hidden }) =>
      [find(id), hidden?.find(id)].some(
        (entry) => entry?.type === 'compressed' && entry.stream === stream && entry.index === at,
      ),
    );
  // Of two by the same number some readers take the first and some the one that is listed.
  return new Set(ids).size === ids.length && ids.every(isPackedHere);
}

/** Whether the newer chain of sections goes on from the older: else the signed one is bypassed. */
export const buildsOn = (after: Pdf, before: Pdf): boolean => {
  const [last] = before.sections;
  return last !== undefined && after.base === before.base && after.sections.some(({ at }) => at === last.at);
};
