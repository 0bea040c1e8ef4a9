import { mostUnpackedBytes } from '../pdf/chain.ts';
import { isDigit } from '../pdf/characters.ts';
import { lengthOf, locate, type Pdf } from '../pdf/document.ts';
import { unpack } from '../pdf/packed.ts';
import { type Cursor, cursorAt, readValue, skipBlank, takeCount, takeWord } from '../pdf/parse.ts';
import { type Found, readObjectAt } from '../pdf/read-object.ts';
import { isStream, nameOf } from '../pdf/values.ts';
import { placedBy } from '../pdf/xref.ts';
import { readTable } from '../pdf/xref-table.ts';
import { broken, PdfRefused } from '../refused.ts';
import { isBlankFrom, MOST_BLANK_BYTES } from './byte-range.ts';
import { type Change, modification } from './changes.ts';

/**
 * Whether everything after `start` is what saving a PDF appends: objects that the cross-reference lists where they
 * stand, its sections, and ends of file. Anything else is read by readers that repair files, and by no one else,
 * so that they would show another document than the one judged here.
 */
export function unaccounted(pdf: Pdf, file: Buffer, start: number): Change[] {
  const cursor = cursorAt(file, start);
  try {
    const listed = listedFrom(pdf, start);
    const last = new Map<number, number>();
    for (skipBlank(cursor); cursor.at < file.length; skipBlank(cursor)) {
      const { at } = cursor;
      if (!take(pdf, listed, last, cursor)) return [odd(at)];
    }
    // A reader that repairs takes the last object of each number: it must be the one that counts.
    const superseded = [...last].find(([id, at]) => !isCurrent(pdf, id, at));
    if (superseded) return [odd(superseded[1])];
    return endsAsItMust(file, file.length) ? [] : [modification('The file does not end as a PDF must.')];
  } catch (error) {
    if (!(error instanceof PdfRefused)) throw error;
    return [odd(cursor.at)];
  }
}

const odd = (at: number): Change =>
  modification(`Something that no cross-reference accounts for was appended, at byte ${at} of the file.`);

function isCurrent(pdf: Pdf, id: number, at: number): boolean {
  const entry = locate(pdf, id);
  if (entry?.type === 'plain') return pdf.base + entry.offset === at;
  const container = entry?.type === 'packed' ? locate(pdf, entry.stream) : undefined;
  return container?.type === 'plain' && pdf.base + container.offset > at;
}

/** Whether the bytes up to `end` close with the place of the cross-reference and the mark of the end. */
export function endsAsItMust(file: Buffer, end: number): boolean {
  const bytes = file.subarray(0, end);
  const cursor = cursorAt(bytes, bytes.lastIndexOf('startxref', undefined, 'latin1') + 'startxref'.length);
  takeCount(cursor);
  const mark = bytes.indexOf('%%EOF', cursor.at, 'latin1');
  const isNext =
    mark >= 0 && mark - cursor.at <= MOST_BLANK_BYTES && !bytes.toString('latin1', cursor.at, mark).trim();
  return isNext && isBlankFrom(bytes, mark + '%%EOF'.length);
}

type Listed = { readonly sections: ReadonlySet<number>; readonly objects: ReadonlyMap<number, string> };

// What the newer sections place, by its offset in the file.
function listedFrom({ sections, base }: Pdf, start: number): Listed {
  const objects = new Map<number, string>();
  for (const section of sections.filter(({ at }) => base + at >= start))
    for (const each of [section, ...(section.hidden ? [section.hidden] : [])])
      for (const { id, generation, offset } of placedBy(each)) {
        // Listed on both sides of a hybrid section, an object is another one to each kind of reader.
        if (each !== section && section.find(id)?.type === 'plain') broken(`object ${id} is in two places.`);
        objects.set(base + offset, `${id} ${generation}`);
      }
  const all = sections.flatMap((section) => (section.hidden ? [section, section.hidden] : [section]));
  return { sections: new Set(all.map(({ at }) => base + at)), objects };
}

function take(pdf: Pdf, listed: Listed, last: Map<number, number>, cursor: Cursor): boolean {
  const { bytes, at } = cursor;
  if (isDigit(bytes[at])) return takeObject(pdf, listed, last, cursor);
  if (takeWord(cursor, 'xref')) {
    readTable(cursor, at);
    return listed.sections.has(at);
  }
  if (!takeWord(cursor, 'startxref')) return false;
  const told = takeCount(cursor);
  return told !== undefined && listed.sections.has(pdf.base + told);
}

function takeObject(pdf: Pdf, listed: Listed, last: Map<number, number>, cursor: Cursor): boolean {
  const { at } = cursor;
  const found = readObjectAt(pdf.source, at, (length) => lengthOf(pdf, length), true);
  if (!found?.isExact) return false;
  const isSection = listed.sections.has(at);
  if (!isSection && listed.objects.get(at) !== `${found.id} ${found.generation}`) return false;
  if (!isSection) last.set(found.id, at);
  cursor.at = found.end;
  return arePackedListed(pdf, found);
}

// What is packed must be as plain to read as what is not, and listed as well.
function arePackedListed({ source, sections }: Pdf, { id: stream, object }: Found): boolean {
  if (!isStream(object) || nameOf(object.dict.get('Type')) !== 'ObjStm') return true;
  const { data, ids, offsets } = unpack(object, mostUnpackedBytes(source));
  for (const offset of offsets) readValue(cursorAt(data, offset, true));
  return ids.every((id) =>
    sections.some(({ find, hidden }) =>
      [find(id), hidden?.find(id)].some((entry) => entry?.type === 'packed' && entry.stream === stream),
    ),
  );
}

/** Whether the newer chain of sections goes on from the older: else the signed one is bypassed. */
export const buildsOn = (after: Pdf, before: Pdf): boolean => {
  const [last] = before.sections;
  return last !== undefined && after.base === before.base && after.sections.some(({ at }) => at === last.at);
};
