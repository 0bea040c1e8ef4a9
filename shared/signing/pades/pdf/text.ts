import { hexValue } from './characters.ts';
import type { PdfString } from './values.ts';

/** The decoded bytes of a string (ISO 32000-2, 7.3.4). */
export const stringBytes = ({ raw }: PdfString): Buffer =>
  raw[0] === 0x3c ? hexBytes(raw) : literalBytes(raw);

function hexBytes(raw: Buffer): Buffer {
  const bytes = Buffer.alloc(raw.length >> 1);
  let digits = 0;
  for (let at = 1; at < raw.length - 1; at++) {
    const value = hexValue(raw[at]);
    // A zero is added to an odd last digit.
    if (value >= 0) bytes[digits >> 1] = (bytes[digits >> 1] ?? 0) | (digits++ % 2 ? value : value << 4);
  }
  return bytes.subarray(0, (digits + 1) >> 1);
}

const ESCAPES: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, b: 8, f: 12 };

function literalBytes(raw: Buffer): Buffer {
  const bytes = Buffer.alloc(raw.length);
  let length = 0;
  for (let at = 1; at < raw.length - 1; at++) {
    let byte = raw[at] ?? 0;
    if (byte === 13) {
      if (raw[at + 1] === 10) at++; // every line end is one line feed
      byte = 10;
    } else if (byte === 0x5c) {
      const octal = /^[0-7]{1,3}/.exec(raw.toString('latin1', at + 1, at + 4))?.[0];
      const next = raw[at + 1] ?? 0;
      at += octal?.length ?? 1;
      if (next === 13 && raw[at + 1] === 10) at++;
      if (next === 10 || next === 13) continue; // an escaped line end continues the line
      byte = octal ? Number.parseInt(octal, 8) & 0xff : (ESCAPES[String.fromCharCode(next)] ?? next);
    }
    bytes[length++] = byte;
  }
  return bytes.subarray(0, length);
}

// PDFDocEncoding where it differs from Latin-1, from 0x80.
const DOC_ENCODING = '•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž';

/** A text string: UTF-16, UTF-8 or PDFDocEncoding, by its first bytes (ISO 32000-2, 7.9.2.2). @example textOf(dict.get('Reason')) */
export function textOf(string: PdfString): string {
  const bytes = stringBytes(string);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return utf16(bytes.subarray(2));
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return bytes.toString('utf8', 3);
  return bytes.toString('latin1').replace(/[\x80-\x9e\xa0]/g, documentLetter);
}

const documentLetter = (letter: string): string =>
  letter === '\xa0' ? '€' : (DOC_ENCODING[letter.charCodeAt(0) - 0x80] ?? letter);

const utf16 = (bytes: Buffer): string =>
  Buffer.from(bytes.subarray(0, bytes.length & ~1))
    .swap16()
    .toString('utf16le');

/** Prints a text string: a literal for ASCII, else UTF-16 in hexadecimal. */
export function textString(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return literal(text);
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
  return `<${bytes.toString('hex')}>`;
}

/** Prints Latin-1 text as a literal string. */
export const literal = (latin1: string): string =>
  `(${latin1
    .replace(/[()\\]/g, '\\$&')
    .replaceAll('\r', '\\r')
    .replaceAll('\n', '\\n')})`;

/** @example dateString(Date.UTC(2026, 0, 31)) // (D:20260131000000Z) */
export const dateString = (ms: number): string =>
  `(D:${new Date(ms).toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z)`;

const DATE = /^(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:Z|([+-])(\d\d)'?(\d\d)?)?/;

/** The milliseconds of a date, or undefined. Without a zone, UTC is assumed. */
export function dateMs(text: string): number | undefined {
  const found = DATE.exec(text);
  if (!found) return undefined;
  const [
    ,
    year,
    month = '1',
    day = '1',
    hour = '0',
    minute = '0',
    second = '0',
    sign,
    zoneHours,
    zoneMinutes,
  ] = found;
  const ms = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  );
  const zoneMs = (Number(zoneHours ?? 0) * 60 + Number(zoneMinutes ?? 0)) * 60_000;
  return sign === '-' ? ms + zoneMs : ms - zoneMs;
}
