import { type Budget, chargeTime } from '../../../bounds/budget.ts';
import { broken, PdfRefused } from '../refused.ts';
import { BULK_BYTE_UNITS } from './budget.ts';
import { skipFewBlanks } from './characters.ts';
import { decode } from './filters.ts';
import { cursorAt, takeCount, takeWord } from './parse.ts';
import { readObjectAt } from './read-object.ts';
import { readStreamSection, readTable } from './read-xref.ts';
import { type Source, spotOf } from './source.ts';
import { countOf, isStream } from './values.ts';
import type { Section } from './xref.ts';

/** The cross-reference sections of a file, newest first: one for each save (ISO 32000-2, 7.5.6). */
export type Chain = {
  readonly sections: readonly Section[];
  /** The origin of offsets: the header, in a file with bytes before it. */
  readonly base: number;
};

const HEADER_WITHIN_BYTES = 1024; // where readers look for %PDF-
const MAX_SECTIONS = 2000; // a file with more saves is made to cost time

/**
 * Follows the cross-reference sections from the end of the file to its beginning. Refuses an encrypted file with that
 * reason, also where its sections are unreadable. Any section may name /Encrypt, a hybrid file's stream too.
 */
export function readChain(source: Source, budget: Budget): Chain {
  try {
    const chain = followSections(source, budget);
    const trailers = chain.sections.flatMap(({ trailer, hidden }) => [
      trailer,
      ...(hidden ? [hidden.trailer] : []),
    ]);
    return trailers.some((trailer) => trailer.has('Encrypt')) ? refuseEncrypted() : chain;
  } catch (error) {
    const isUnreadable = error instanceof PdfRefused && error.reason === 'broken';
    if (isUnreadable && namesEncryption(source, budget)) refuseEncrypted();
    throw error;
  }
}

const refuseEncrypted = (): never => {
  throw new PdfRefused(
    'encrypted',
    'The PDF is encrypted.',
    'Remove its password or restrictions and retry.',
  );
};

const ENCRYPT_KEY = '/Encrypt';
const ENCRYPT_ENTRY = /^\/Encrypt\s*(?:\d{1,10}\s+\d{1,5}\s+R(?!\w)|<<)/;
const MAX_ENTRY_BYTES = 64;

// An unreadable file: the words of a trailer are searched for.
function namesEncryption({ pieces }: Source, budget: Budget): boolean {
  return pieces.some((piece) => {
    chargeTime(budget, BULK_BYTE_UNITS * piece.length);
    for (
      let at = piece.indexOf(ENCRYPT_KEY, 0, 'latin1');
      at >= 0;
      at = piece.indexOf(ENCRYPT_KEY, at + 1, 'latin1')
    )
      if (ENCRYPT_ENTRY.test(piece.toString('latin1', at, at + MAX_ENTRY_BYTES))) return true;
    return false;
  });
}

function followSections(source: Source, budget: Budget): Chain {
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
    next = previous === undefined ? undefined : (countOf(previous) ?? broken('/Prev is not an offset.'));
  }
  return { sections, base };
}

const MIN_RUN_BYTES = 4;

// Entries take bytes of the file, unless sections overlap: then a small file claims many.
const claimedBytesOf = ({ runs }: Section): number =>
  runs.reduce((bytes, { count, width }) => bytes + MIN_RUN_BYTES + count * width, 0);

function headerOffset({ pieces }: Source): number {
  const at = pieces[0]?.subarray(0, HEADER_WITHIN_BYTES).indexOf('%PDF-', 0, 'latin1') ?? -1;
  if (at < 0)
    throw new PdfRefused('not-a-pdf', 'This is not a PDF: it has no %PDF- header.', 'Send a PDF file.');
  return at;
}

/** The offset of the newest cross-reference section. */
export function readStartXref({ pieces }: Source, budget: Budget): number {
  const last = pieces.at(-1) ?? Buffer.alloc(0);
  const at = last.lastIndexOf('startxref', undefined, 'latin1');
  chargeTime(budget, BULK_BYTE_UNITS * (last.length - Math.max(0, at)));
  if (at < 0) return broken('it has no startxref, so it was probably cut short.');
  return (
    takeCount(cursorAt(last, at + 'startxref'.length, budget)) ?? broken('its startxref is not an offset.')
  );
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
    hidden: readStreamSectionAt(
      source,
      budget,
      base,
      countOf(hidden) ?? broken('/XRefStm is not an offset.'),
    ),
  };
}

function readStreamSectionAt(source: Source, budget: Budget, base: number, offset: number): Section {
  const { bytes, at: inPiece } = spotOf(source, base + offset);
  const at = offset + skipFewBlanks(bytes, inPiece) - inPiece;
  const found = readObjectAt(source, base + at, budget);
  if (!found || !isStream(found.object)) return broken(`there is no cross-reference section at ${at}.`);
  const data = decode(found.object, maxUnpackedBytes(source), budget);
  return readStreamSection(found.object.dict, data, at, budget);
}

const SMALL_FILE_BYTES = 1024 * 1024;

/** The limit for one unpacked stream: a decompression bomb makes gigabytes of a few bytes. */
export const maxUnpackedBytes = ({ length }: Source): number => SMALL_FILE_BYTES + 1.5 * length;
