import { createHash } from 'node:crypto';
import { broken } from '../refused.ts';
import type { Pdf } from './document.ts';
import { stringBytes } from './text.ts';
import { countOf, isArray, isString, type PdfRef, type PdfValue, print, ref } from './values.ts';
import { type Written, writeStreamSection, writeTableSection } from './write-xref.ts';
import { sizeOf } from './xref.ts';

/** An incremental update (ISO 32000-2, 7.5.6): new and changed objects, and their cross-reference section. */
export type Increment = {
  /** Returns the reference of a new object. */
  readonly reserve: () => PdfRef;
  /** Writes a new or changed object. A function among its parts may ask for the position. */
  readonly put: (ref: PdfRef, ...body: readonly (string | Buffer | (() => string | Buffer))[]) => PdfRef;
  /** The offset of the next byte in the whole file. */
  readonly position: () => number;
  /** Writes the cross-reference and the trailer, and returns all of it. */
  readonly finish: () => Buffer;
};

/** The trailer entries that describe one section and must not be copied to the next. */
const OWN_TO_SECTION = new Set([
  'Prev',
  'XRefStm',
  'Size',
  'Type',
  'W',
  'Index',
  'Length',
  'Filter',
  'DecodeParms',
  'DL',
]);

/**
 * Begins an incremental update. The file's own bytes stay as they are, so earlier signatures stay valid.
 * @example const update = startIncrement(pdf); update.put(catalog.ref, print(changed)); const bytes = update.finish();
 */
export function startIncrement(pdf: Pdf): Increment {
  const parts: Buffer[] = [];
  const written = new Map<number, Written>();
  let position = pdf.source.length;
  let next = nextNumber(pdf);
  const write = (part: string | Buffer): void => {
    const bytes = typeof part === 'string' ? Buffer.from(part, 'latin1') : part;
    parts.push(bytes);
    position += bytes.length;
  };
  // Readers expect the first object on a new line.
  if (pdf.source.pieces.at(-1)?.at(-1) !== 10) write('\n');
  const increment: Increment = {
    reserve: () => ref(next++),
    put: (object, ...body) => {
      const { id, generation } = object;
      written.set(id, { id, generation, offset: position - pdf.base });
      write(`${id} ${generation} obj\n`);
      for (const part of body) write(typeof part === 'function' ? part() : part);
      write('\nendobj\n');
      return object;
    },
    position: () => position,
    finish: () => {
      const [newest] = pdf.sections;
      const at = position - pdf.base;
      const trailer = trailerOf(pdf, position);
      const entries = [...written.values()];
      // A table follows a table, a stream a stream: readers of one kind may not see the other.
      if (newest?.kind === 'stream') write(writeStreamSection(entries, trailer, ref(next++), at));
      else write(writeTableSection(entries, trailer, next));
      write(`startxref\n${at}\n%%EOF\n`);
      return Buffer.concat(parts);
    },
  };
  return increment;
}

const MAX_NUMBER = 8_388_607; // the limit that readers promise (ISO 32000-1, annex C)

function nextNumber({ sections, trailer }: Pdf): number {
  const next = sections.reduce(
    (size, section) => Math.max(size, sizeOf(section)),
    countOf(trailer.get('Size')) ?? 1,
  );
  return next < MAX_NUMBER ? next : broken('its object numbers are too high.');
}

function trailerOf(pdf: Pdf, position: number): Map<string, PdfValue> {
  const entries = [...pdf.trailer].filter(([key]) => !OWN_TO_SECTION.has(key));
  const trailer = new Map<string, PdfValue>(entries);
  const id = trailer.get('ID');
  if (isArray(id)) trailer.set('ID', [id[0] ?? null, changedId(id, position)]);
  trailer.set('Prev', pdf.sections[0]?.at ?? 0);
  return trailer;
}

// The first half identifies the document, the second half this version of it (ISO 32000-2, 14.4).
function changedId([first, second]: readonly PdfValue[], position: number): PdfValue {
  const hash = createHash('sha256').update(String(position));
  for (const half of [first, second]) if (isString(half)) hash.update(stringBytes(half));
  const raw = Buffer.from(`<${hash.digest('hex').slice(0, 32)}>`);
  return { kind: 'string', raw };
}

/** A stream object's body. @example update.put(update.reserve(), ...streamBody({ Type: name('XObject') }, content)) */
export function streamBody(
  entries: Readonly<Record<string, PdfValue>>,
  content: Buffer,
): (string | Buffer)[] {
  const dict = new Map<string, PdfValue>([...Object.entries(entries), ['Length', content.length]]);
  return [`${print(dict)}\nstream\n`, content, '\nendstream'];
}
