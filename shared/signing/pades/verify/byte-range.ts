import { hexValue, isBlank } from '../pdf/characters.ts';
import { countOf, isArray, isString, type PdfDict } from '../pdf/values.ts';

/** Which bytes a signature covers: all up to `end`, but for the hole that it stands in itself. */
export type Covered = {
  readonly contentsStart: number;
  readonly contentsEnd: number;
  readonly end: number;
  /** What stands in the hole, its padding included. */
  readonly contents: Buffer;
};

/**
 * Reads a signature's /ByteRange, or says what is wrong with it. The one gap must be the very string that holds
 * the signature: anything else that could stand in a gap would be shown and not signed.
 */
export function readByteRange(file: Buffer, signature: PdfDict): Covered | string {
  const range = signature.get('ByteRange');
  const [start, first, second, rest] = isArray(range) ? range.map((number) => countOf(number)) : [];
  if (!isArray(range) || range.length !== 4 || start === undefined || first === undefined)
    return 'Its /ByteRange is not made of four numbers.';
  if (second === undefined || rest === undefined) return 'Its /ByteRange is not made of four numbers.';
  const contents = signature.get('Contents');
  if (!isString(contents)) return 'It has no /Contents.';
  const contentsStart = offsetIn(file, contents.raw);
  if (contentsStart === undefined) return 'Its /Contents is in a compressed object.';
  const contentsEnd = contentsStart + contents.raw.length;
  if (start !== 0) return `Its /ByteRange leaves out the first ${start} bytes of the file.`;
  if (first !== contentsStart || second !== contentsEnd)
    return `The signature does not fit the file, as when a program saved it anew: its /ByteRange leaves out the bytes ${first} to ${second}, which are not its /Contents (${contentsStart} to ${contentsEnd}).`;
  if (second + rest > file.length) return 'Its /ByteRange goes past the end of the file.';
  const bytes = decodeHex(contents.raw);
  if (!bytes) return 'Its /Contents is not written as hexadecimal digits alone.';
  return { contentsStart, contentsEnd, end: second + rest, contents: bytes };
}

/** Where a signature's /Contents stands in the file: what tells one signature from another. */
export function contentsOffsetOf(file: Buffer, signature: PdfDict): number | undefined {
  const contents = signature.get('Contents');
  return isString(contents) ? offsetIn(file, contents.raw) : undefined;
}

// Strings are views of the file's memory, so that their place in it is known, whoever names them.
function offsetIn(file: Buffer, raw: Buffer): number | undefined {
  const offset = raw.byteOffset - file.byteOffset;
  const isInside = raw.buffer === file.buffer && offset >= 0 && offset + raw.length <= file.length;
  return isInside ? offset : undefined;
}

function decodeHex(raw: Buffer): Buffer | undefined {
  if (raw[0] !== 0x3c || raw.length % 2) return undefined;
  for (let at = 1; at < raw.length - 1; at++) if (hexValue(raw[at]) < 0) return undefined;
  return Buffer.from(raw.toString('latin1', 1, raw.length - 1), 'hex');
}

/** Whether only line ends follow: what some programs add after they sign, and no reader reads. */
export function isBlankFrom(file: Buffer, at: number): boolean {
  if (file.length - at > MAX_BLANK_BYTES) return false;
  while (isBlank(file[at])) at++;
  return at === file.length;
}

/** Programs end a line or two where nothing is asked for. */
export const MAX_BLANK_BYTES = 8;
