const REGULAR = 0;
const BLANK = 1;
const DELIMITER = 2;

const KINDS = new Uint8Array(256).fill(REGULAR);
for (const byte of [0, 9, 10, 12, 13, 32]) KINDS[byte] = BLANK;
for (const byte of Buffer.from('()<>[]{}/%')) KINDS[byte] = DELIMITER;

// Past the end of the file `byte` is undefined: neither blank nor part of a word.
export const isBlank = (byte: number | undefined): boolean => byte !== undefined && KINDS[byte] === BLANK;
export const isRegular = (byte: number | undefined): boolean => byte !== undefined && KINDS[byte] === REGULAR;
export const isDigit = (byte: number | undefined): boolean =>
  byte !== undefined && byte >= 0x30 && byte <= 0x39;

const MAX_BLANKS = 8;

/** Past the few blanks where an offset leads: some writers count from the line end before an object, and readers skip it. */
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
