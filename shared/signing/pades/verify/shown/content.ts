import { chargeTime, withScratchMemory } from '../../../../bounds/budget.ts';
import { BYTE_UNITS, UNPACKED_BYTE_UNITS } from '../../pdf/budget.ts';
import { isBlank, isRegular } from '../../pdf/characters.ts';
import { arrayOf, dictOf, type Pdf, resolve } from '../../pdf/document.ts';
import { decode } from '../../pdf/filters.ts';
import { type Cursor, cursorAt, readValue, skipBlank } from '../../pdf/parse.ts';
import { isArray, isStream, name, nameOf, type PdfStream, type PdfValue } from '../../pdf/values.ts';
import { broken, PdfRefused } from '../../refused.ts';

const MAX_CONTENT_BYTES = 8 * 1024 * 1024; // a detailed map has 4 MB on a page

/** The decoded content of a stream; undefined where it has a filter that is not read here, or too much of it. */
export function contentOf(pdf: Pdf, { dict, raw }: PdfStream): Buffer | undefined {
  const [filter, parameters] = [resolve(pdf, dict.get('Filter')), resolve(pdf, dict.get('DecodeParms'))];
  const filters = isArray(filter) ? filter : [dict.get('Filter')];
  try {
    return filters.reduce<Buffer | undefined>((bytes, each, at) => {
      const own = isArray(parameters) ? parameters[at] : dict.get('DecodeParms');
      return bytes && unfilter(pdf, bytes, nameOf(resolve(pdf, each)), dictOf(pdf, own));
    }, raw);
  } catch (error) {
    // Whoever has used up the whole budget is refused by the next charge.
    if (error instanceof PdfRefused) return undefined;
    throw error;
  }
}

function unfilter(
  { budget }: Pdf,
  bytes: Buffer,
  filter: string | undefined,
  parameters: ReadonlyMap<string, PdfValue> | undefined,
): Buffer | undefined {
  chargeTime(budget, UNPACKED_BYTE_UNITS * bytes.length);
  if (filter === undefined) return bytes;
  if (filter === 'ASCII85Decode') return fromAscii85(bytes);
  if (filter === 'ASCIIHexDecode')
    return Buffer.from(bytes.toString('latin1').replace(/>.*|\s/gs, ''), 'hex');
  if (filter !== 'FlateDecode') return undefined;
  const dict = new Map<string, PdfValue>([['Filter', name(filter)]]);
  if (parameters) dict.set('DecodeParms', parameters);
  return decode({ kind: 'stream', dict, raw: bytes }, MAX_CONTENT_BYTES, budget);
}

/** ISO 32000-2, 7.4.3. */
function fromAscii85(bytes: Buffer): Buffer {
  const text = bytes
    .toString('latin1')
    .replace(/~.*|\s/gs, '')
    .replaceAll('z', '!!!!!');
  const decoded = Buffer.alloc(Math.ceil(text.length / 5) * 4);
  for (let at = 0; at < text.length; at += 5) {
    let value = 0;
    for (const letter of text.slice(at, at + 5).padEnd(5, 'u'))
      value = value * 85 + letter.charCodeAt(0) - 33;
    decoded.writeUInt32BE(Math.min(Math.max(value, 0), 0xffffffff), (at / 5) * 4);
  }
  const missing = (5 - (text.length % 5)) % 5;
  return decoded.subarray(0, decoded.length - missing);
}

/** A page's content, whose parts are read as one (ISO 32000-2, 7.8.2). */
export function pageContentOf(pdf: Pdf, contents: PdfValue | undefined): Buffer | undefined {
  const found = resolve(pdf, contents);
  const parts = isArray(found) ? arrayOf(pdf, contents).map((part) => resolve(pdf, part)) : [found];
  const bytes = parts.filter(isStream).map((stream) => contentOf(pdf, stream));
  return bytes.every((part) => part !== undefined)
    ? Buffer.concat(bytes.flatMap((part) => [part, Buffer.from('\n')]))
    : undefined;
}

export type Operation = { readonly operator: string; readonly operands: readonly PdfValue[] };

/** Reads content, operator by operator. The data of an inline image is skipped: only its BI is there. */
export function eachOperation(pdf: Pdf, content: Buffer, visit: (operation: Operation) => void): void {
  const cursor = cursorAt(content, 0, pdf.budget);
  while (cursor.at < content.length)
    withScratchMemory(pdf.budget, () => {
      const operation = readOperation(cursor);
      if (operation.operator === 'BI') skipInlineImage(cursor);
      if (operation.operator) visit(operation);
    });
}

const isValueStart = (byte: number): boolean => '/(<[+-.0123456789'.includes(String.fromCharCode(byte));
const WORDS = new Set(['true', 'false', 'null']);

function readOperation(cursor: Cursor): Operation {
  const { bytes, budget } = cursor;
  const operands: PdfValue[] = [];
  for (;;) {
    skipBlank(cursor);
    const byte = bytes[cursor.at];
    if (byte === undefined) return { operator: '', operands };
    const start = cursor.at;
    if (isValueStart(byte)) {
      operands.push(readValue(cursor));
      continue;
    }
    while (isRegular(bytes[cursor.at])) cursor.at++;
    if (cursor.at === start) broken('its content has a delimiter by itself.');
    chargeTime(budget, BYTE_UNITS * (cursor.at - start));
    const word = bytes.toString('latin1', start, cursor.at);
    if (!WORDS.has(word)) return { operator: word, operands };
  }
}

function skipInlineImage(cursor: Cursor): void {
  const { bytes, budget, at: start } = cursor;
  let end = bytes.indexOf('EI', start);
  while (end !== -1 && !(isBlank(bytes[end - 1]) && !isRegular(bytes[end + 2])))
    end = bytes.indexOf('EI', end + 1);
  cursor.at = end === -1 ? bytes.length : end + 'EI'.length;
  chargeTime(budget, BYTE_UNITS * (cursor.at - start));
}
