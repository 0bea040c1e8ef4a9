const REGULAR = 0;
const BLANK = 1;
const DELIMITER = 2;

const KINDS = new Uint8Array(256).fill(REGULAR);
for (const byte of [0, 9, 10, 12, 13, 32]) KINDS[byte] = BLANK;
for (const byte of Buffer.from('()<>[]{}/%')) KINDS[byte] = DELIMITER;

// Past the end of the file `byte` is undefined: neither blank nor regular.
export const isBlank = (byte: number | undefined): boolean => byte !== undefined && KINDS[byte] === BLANK;
export const isRegular = (byte: number | undefined): boolean => byte !== undefined && KINDS[byte] === REGULAR;
export const isDigit = (byte: number | undefined): boolean =>
  byte !== undefined && byte >= 0x30 && byte <= 0x39;

const MAX_BLANKS = 8;

/** Skips a few blanks at an offset: some writers count from the line end before an object, and readers skip it. */
export function skipFewBlanks(bytes: Buffer, offset: number): number {
  let at = offset;
  while (at - offset < MAX_BLANKS && isBlank(bytes[at])) at++;
  return at;
}

/** A hexadecimal digit's value, or -1. */
export function hexValue(byte: number | undefined): number {
  if (byte === undefined) return -1;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

const MAX_LETTERS = 24;
const SLOTS = 2048; // a document has a few hundred names

// The same names occur in every object: sharing their strings saves most of their memory and time.
const sharedNames: string[] = new Array(SLOTS).fill('');

/** The bytes from `start` to `end` as Latin-1 text. */
export function textAt(bytes: Buffer, start: number, end: number): string {
  if (end - start > MAX_LETTERS) return bytes.toString('latin1', start, end);
  let slot = end - start;
  for (let at = start; at < end; at++) slot = (slot * 31 + (bytes[at] ?? 0)) % SLOTS;
  const text = sharedNames[slot] ?? '';
  if (matchesAt(text, bytes, start, end)) return text;
  const created = bytes.toString('latin1', start, end);
  sharedNames[slot] = created;
  return created;
}

/** Whether the bytes are this text, without creating a string. */
export function matchesAt(text: string, bytes: Buffer, start: number, end: number): boolean {
  if (text.length !== end - start) return false;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) !== bytes[start + at]) return false;
  return true;
}
