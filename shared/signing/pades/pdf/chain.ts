import { type Budget, chargeTime } from '../../../bounds/budget.ts';
import { broken, PdfRefused } from '../refused.ts';
import { BULK_BYTE_UNITS } from './budget.ts';
import { skipFewBlanks } from './characters.ts';
import { decode } from './filters.ts';
import { cursorAt, takeCount, takeWord } from './parse.ts';
import { readObjectAt } from './read-object.ts';
import { readTable } from './read-xref.ts';
import { type Source, spotOf } from './source.ts';
import { countOf, isStream } from './values.ts';
import type { Section } from './xref.ts';
import { readStreamSection } from './xref-stream.ts';

/** The saves of a file, newest first, and how its offsets count. */
export type Chain = {
  readonly sections: readonly Section[];
  /** Where offsets count from: the header, in a file with something before it. */
  readonly base: number;
};

const HEADER_WITHIN_BYTES = 1024; // where readers look for %PDF-
const MAX_SECTIONS = 2000; // a file saved more often is one that means to cost time

/** Follows the cross-reference sections from the end of the file to its beginning. */
export function readChain(source: Source, budget: Budget): Chain {
  const header = headerOffset(source);
  const start = readStartXref(source, budget);
  const isShifted =
    header > 0 && !isSectionAt(source, budget, start) && isSectionAt(source, budget, start + header);
  const base = isShifted ? header : 0;
  const sections: Section[] = [];
  const seen = new Set<number>();
  let claimedBytes = 0;
  for (let next: number | undefined = start; next !== undefined; ) {
    if (seen.has(next)) broken('its cross-reference sections go round in a circle.');
    if (sections.length === MAX_SECTIONS) broken(`it was saved more than ${MAX_SECTIONS} times.`);
    seen.add(next);
    const section = readSection(source, budget, base, next);
    sections.push(section);
    claimedBytes += claimedBytesOf(section) + (section.hidden ? claimedBytesOf(section.hidden) : 0);
    if (claimedBytes > maxUnpackedBytes(source)) broken('its cross-reference sections overlap.');
    const previous = section.trailer.get('Prev');
    next = previous === undefined ? undefined : (countOf(previous) ?? broken('/Prev is no offset.'));
  }
  return { sections, base };
}

const MIN_RUN_BYTES = 4;

// What a section says it holds takes room in the file, unless sections share it: then a small file claims much.
const claimedBytesOf = ({ runs }: Section): number =>
  runs.reduce((bytes, { count, width }) => bytes + MIN_RUN_BYTES + count * width, 0);

function headerOffset({ pieces }: Source): number {
  const at = pieces[0]?.subarray(0, HEADER_WITHIN_BYTES).indexOf('%PDF-', 0, 'latin1') ?? -1;
  if (at < 0)
    throw new PdfRefused('not-a-pdf', 'This is not a PDF: it has no %PDF- header.', 'Send a PDF file.');
  return at;
}

/** Where the newest cross-reference section is said to be. */
export function readStartXref({ pieces }: Source, budget: Budget): number {
  const last = pieces.at(-1) ?? Buffer.alloc(0);
  const at = last.lastIndexOf('startxref', undefined, 'latin1');
  chargeTime(budget, BULK_BYTE_UNITS * (last.length - Math.max(0, at)));
  if (at < 0) return broken('it has no startxref, so it was probably cut short.');
  return takeCount(cursorAt(last, at + 'startxref'.length, budget)) ?? broken('its startxref is no offset.');
}

function isSectionAt(source: Source, budget: Budget, offset: number): boolean {
  const { bytes, at } = spotOf(source, offset);
  const cursor = cursorAt(bytes, at, budget);
  if (takeWord(cursor, 'xref')) return true;
  return takeCount(cursor) !== undefined && takeCount(cursor) !== undefined && takeWord(cursor, 'obj');
}

function readSection(source: Source, budget: Budget, base: number, offset: number): Section {
  const { bytes, at: inPiece } = spotOf(source, base + offset);
  const start = skipFewBlanks(bytes, inPiece);
  const at = offset + start - inPiece;
  const cursor = cursorAt(bytes, start, budget);
  if (!takeWord(cursor, 'xref')) return readStreamSectionAt(source, budget, base, at);
  const table = readTable(cursor, at);
  const hidden = table.trailer.get('XRefStm');
  if (hidden === undefined) return table;
  return {
    ...table,
    hidden: readStreamSectionAt(source, budget, base, countOf(hidden) ?? broken('/XRefStm is no offset.')),
  };
}

function readStreamSectionAt(source: Source, budget: Budget, base: number, offset: number): Section {
  const { bytes, at: inPiece } = spotOf(source, base + offset);
  const at = offset + skipFewBlanks(bytes, inPiece) - inPiece;
  const found = readObjectAt(source, base + at, budget);
  if (!found || !isStream(found.object)) return broken(`no cross-reference stands at ${at}, where one must.`);
  const data = decode(found.object, maxUnpackedBytes(source), budget);
  return readStreamSection(found.object.dict, data, at, budget);
}

const SMALL_FILE_BYTES = 1024 * 1024; // a small file may unpack to this much

/** How much one compressed part may unpack to. */
export const maxUnpackedBytes = ({ length }: Source): number => SMALL_FILE_BYTES + 1.5 * length;
