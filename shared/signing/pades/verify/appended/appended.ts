import { type Budget, chargeTime, withScratchMemory } from '../../../../bounds/budget.ts';
import { BULK_BYTE_UNITS } from '../../pdf/budget.ts';
import { isDigit, skipFewBlanks } from '../../pdf/characters.ts';
import { locate, type Pdf } from '../../pdf/document.ts';
import { type Cursor, cursorAt, skipBlank, takeCount, takeWord } from '../../pdf/parse.ts';
import { readTable } from '../../pdf/read-xref.ts';
import { isTooComplex, PdfRefused } from '../../refused.ts';
import { isBlankFrom, isTruncated, MAX_BLANK_BYTES } from '../byte-range.ts';
import { type Change, modification } from '../changes.ts';
import { type ListedParts, listParts } from './listed-parts.ts';
import { missingRefsInTrailer, reachesAny, wasMissing } from './missing-refs.ts';
import { findMovedObject, removedSince } from './moved-objects.ts';
import { isPlainStart, isPlainTable } from './plain-syntax.ts';
import { readStrictly } from './strict-object.ts';

/**
 * Checks that the bytes after `start` are incremental updates only (ISO 32000-2, 7.5.6): objects where the
 * cross-reference lists them, its sections, and ends of file.
 *
 * Incremental saving attack: other bytes, such as an object without a table, a trailer alone or a damaged section, are
 * ignored by strict readers. Readers that repair files read them, and show another document than the one judged here.
 */
export function findUnaccounted(pdf: Pdf, signed: Pdf, file: Buffer, start: number): Change[] {
  const cursor = cursorAt(file, start, pdf.budget, true);
  try {
    const listed = listParts(pdf, signed, file, start);
    // Shadow attack (hide-and-replace): the update lists an object that was signed along and never shown.
    const moved = findMovedObject(pdf, signed, file, start);
    if (moved !== undefined)
      return [modification(`Object ${moved} was moved to where the signed document does not have it.`)];
    // Shadow attack (hide): the update frees an object, such as an overlay, that the document still refers to.
    const removed = removedSince(pdf, signed);
    if (removed.size > 0 && reachesAny(pdf, removed))
      return [modification('An object that the document refers to was removed.')];
    const last = new Map<number, number>();
    for (skipBlank(cursor); cursor.at < file.length; skipBlank(cursor)) {
      const { at } = cursor;
      if (!withScratchMemory(pdf.budget, () => takePart(pdf, signed, listed, last, cursor)))
        return [unaccountedAt(file, at)];
    }
    // Incremental saving attack: an object is changed and changed back. A reader that repairs the file takes the last
    // object of each number, so that one must be the one in use.
    const superseded = [...last].find(([id, at]) => !isNewest(pdf, file, id, at));
    if (superseded) return [unaccountedAt(file, superseded[1])];
    // Incremental saving attack: a long tail moves the end out of the range where readers search for it.
    return hasProperEnd(file, file.length, pdf.budget)
      ? []
      : [modification('The file does not end as a PDF must.')];
  } catch (error) {
    if (!(error instanceof PdfRefused) || isTooComplex(error)) throw error;
    return [unaccountedAt(file, cursor.at)];
  }
}

const unaccountedAt = (file: Buffer, at: number): Change =>
  modification(
    `Something that no cross-reference accounts for was appended, at byte ${at} of the file${isTruncated(file) ? CUT_SHORT : '.'}`,
  );

const CUT_SHORT = ', or the file was cut short: its end is missing. Ask its sender for the file again.';

function isNewest(pdf: Pdf, file: Buffer, id: number, at: number): boolean {
  const entry = locate(pdf, id);
  if (entry?.type === 'uncompressed') return skipFewBlanks(file, pdf.base + entry.offset) === at;
  const container = entry?.type === 'compressed' ? locate(pdf, entry.stream) : undefined;
  return container?.type === 'uncompressed' && pdf.base + container.offset > at;
}

/** Whether the bytes up to `end` close with `startxref`, an offset and `%%EOF` (ISO 32000-2, 7.5.5). */
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

/**
 * Whether the newer chain of sections continues the older.
 * Incremental saving attack: a new table without /Prev bypasses the signed document.
 */
export const buildsOn = (after: Pdf, before: Pdf): boolean => {
  const [last] = before.sections;
  return last !== undefined && after.base === before.base && after.sections.some(({ at }) => at === last.at);
};

// Takes one object, section or end of file. `last` holds the last offset of each object number.
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
    const isComplete = missingRefsInTrailer(pdf, 0, trailer).every((each) => wasMissing(signed, each));
    return isComplete && listed.sections.get(at) === true && isPlainTable(cursor, at);
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
  const object = readStrictly(pdf, at, isSection);
  if (!object.isExact) return false;
  if (listed.sections.get(at) === false) return false;
  if (!isSection && listed.objects.get(at) !== `${object.id} ${object.generation}`) return false;
  if (!isSection) last.set(object.id, at);
  cursor.at = object.end;
  return object.isContentListed && object.missingRefs.every((each) => wasMissing(signed, each));
}
