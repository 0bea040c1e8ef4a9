import { mostUnpackedBytes } from '../pdf/chain.ts';
import { isDigit } from '../pdf/characters.ts';
import { lengthOf, type Pdf } from '../pdf/document.ts';
import { unpack } from '../pdf/packed.ts';
import { type Cursor, cursorAt, readValue, skipBlank, takeCount, takeWord } from '../pdf/parse.ts';
import { type Found, readObjectAt } from '../pdf/read-object.ts';
import { isStream, nameOf } from '../pdf/values.ts';
import type { Section } from '../pdf/xref.ts';
import { readTable } from '../pdf/xref-table.ts';
import { PdfRefused } from '../refused.ts';
import { type Change, modification } from './changes.ts';

/**
 * Whether everything after `start` is what saving a PDF appends: objects that the cross-reference lists where they
 * stand, its sections, and ends of file. Anything else is read by readers that repair files, and by no one else,
 * so that they would show another document than the one judged here.
 */
export function unaccounted(pdf: Pdf, file: Buffer, start: number): Change[] {
  const cursor = cursorAt(file, start);
  try {
    for (skipBlank(cursor); cursor.at < file.length; skipBlank(cursor)) {
      const { at } = cursor;
      if (!take(pdf, file, cursor)) return [odd(at)];
    }
    return [];
  } catch (error) {
    if (!(error instanceof PdfRefused)) throw error;
    return [odd(cursor.at)];
  }
}

const odd = (at: number): Change =>
  modification(`Something that no cross-reference accounts for was appended, at byte ${at} of the file.`);

function take(pdf: Pdf, file: Buffer, cursor: Cursor): boolean {
  if (isDigit(file[cursor.at])) return takeObject(pdf, cursor);
  const { at } = cursor;
  if (takeWord(cursor, 'xref')) {
    readTable(cursor, at);
    return isSection(pdf, at);
  }
  if (!takeWord(cursor, 'startxref')) return false;
  const told = takeCount(cursor);
  return told !== undefined && isSection(pdf, pdf.base + told);
}

const sectionsOf = ({ sections }: Pdf): Section[] =>
  sections.flatMap((section) => [section, ...(section.hidden ? [section.hidden] : [])]);

const isSection = (pdf: Pdf, at: number): boolean =>
  sectionsOf(pdf).some((section) => pdf.base + section.at === at);

function takeObject(pdf: Pdf, cursor: Cursor): boolean {
  const { at } = cursor;
  const found = readObjectAt(pdf.source, at, (length) => lengthOf(pdf, length), true);
  if (!found?.isExact || !(isListed(pdf, found, at) || isSection(pdf, at))) return false;
  readPacked(pdf, found);
  cursor.at = found.end;
  return true;
}

const isListed = (pdf: Pdf, { id, generation }: Found, at: number): boolean =>
  sectionsOf(pdf).some(({ find }) => {
    const entry = find(id);
    return entry?.type === 'plain' && pdf.base + entry.offset === at && entry.generation === generation;
  });

// What is packed must be as plain to read as what is not.
function readPacked({ source }: Pdf, { object }: Found): void {
  if (!isStream(object) || nameOf(object.dict.get('Type')) !== 'ObjStm') return;
  const { data, offsets } = unpack(object, mostUnpackedBytes(source));
  for (const offset of offsets) readValue(cursorAt(data, offset, true));
}

/** Whether the newer chain of sections goes on from the older: else the signed one is bypassed. */
export const buildsOn = (after: Pdf, before: Pdf): boolean => {
  const [last] = before.sections;
  return last !== undefined && after.base === before.base && after.sections.some(({ at }) => at === last.at);
};
