import { takeElement } from '../../cms/ber-parser.ts';
import { createInput, parseBytes } from '../../cms/input.ts';
import { hexValue, isBlank } from '../pdf/characters.ts';
import { countOf, isArray, isString, type PdfDict } from '../pdf/values.ts';

/** The bytes that a signature covers: all up to `end`, except its own /Contents. */
export type Covered = {
  readonly contentsStart: number;
  readonly contentsEnd: number;
  readonly end: number;
  /** The decoded /Contents, padding included. */
  readonly contents: Buffer;
};

/**
 * Reads a signature's /ByteRange (ISO 32000-2, 12.8.1), or returns what is wrong with it. The only gap must be the string
 * of /Contents itself.
 *
 * Signature wrapping attack: a wider gap, or a second one, holds content that is shown and not signed.
 * Universal signature forgery: a missing or malformed /ByteRange or /Contents must not count as a valid signature.
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

/** The offset of a signature's /Contents: it identifies the signature. */
export function contentsOffsetOf(file: Buffer, signature: PdfDict): number | undefined {
  const contents = signature.get('Contents');
  return isString(contents) ? offsetIn(file, contents.raw) : undefined;
}

// Strings are views of the file's memory, so their offset is known whichever object refers to them.
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

/** Whether only a few line ends follow, which some programs add after signing and no reader reads. */
export function isBlankFrom(file: Buffer, at: number): boolean {
  if (file.length - at > MAX_BLANK_BYTES) return false;
  while (isBlank(file[at])) at++;
  return at === file.length;
}

/** Programs add a line end or two of their own. */
export const MAX_BLANK_BYTES = 8;

// Readers search here for the end of a file.
const END_BYTES = 1024;
const OBJECT = /\d\s+\d+\s+obj\b/;

/** Whether the end of the file is missing, as when a transfer broke off: also where a save was begun after the last end. */
export function isTruncated(file: Buffer): boolean {
  const last = file.subarray(-END_BYTES).toString('latin1');
  const end = last.lastIndexOf('%%EOF');
  return end < 0 || OBJECT.test(last.slice(end));
}

/** The CMS structure at the beginning of /Contents, and whether anything but zeros follows it there. */
export type ContentsParts = { readonly structure: Buffer; readonly hasRest: boolean };

/**
 * Splits /Contents. Some signers leave old bytes after a structure in BER. They are hexadecimal digits of a string that
 * no reader shows, and nobody signed them: they are reported, and only the structure is read.
 */
export function splitContents(contents: Buffer): ContentsParts {
  const structure = parseBytes(takeElement(createInput()), contents, () => undefined);
  return { structure, hasRest: contents.subarray(structure.length).some((byte) => byte !== 0) };
}
