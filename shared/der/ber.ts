import type { Bytes } from './bytes.ts';
import { DerError, readUnsigned, TooManyElements } from './element.ts';
import { TAG } from './tags.ts';

// Deeper than any structure of ours. Stack exhaustion: nested headers are refused before they fill the stack.
const MAX_DEPTH = 64;
const MAX_LENGTH_BYTES = 6;
const STRINGS = new Set<number>([
  TAG.OCTET_STRING,
  TAG.BIT_STRING,
  TAG.UTF8_STRING,
  TAG.PRINTABLE_STRING,
  TAG.TELETEX_STRING,
  TAG.IA5_STRING,
  TAG.BMP_STRING,
]);
const CONSTRUCTED = 0x20;

/**
 * The same value in DER, for producers that write BER: indefinite lengths, long lengths, strings in pieces. It is
 * written into one array, so that elements take no memory of their own. They take time, which `maxElements` bounds.
 * @example const pfx = readElement(berToDer(bytes));
 */
export function berToDer(source: Uint8Array, maxElements = Number.POSITIVE_INFINITY): Bytes {
  const out = new Uint8Array(maxBytesOf(source.length));
  const walk: Walk = { source, out, at: 0, left: maxElements, maxElements };
  const end = convert(walk, 0, source.length, 0, 'whole');
  if (end !== source.length) throw new DerError(`${source.length - end} bytes follow the element.`);
  return out.subarray(0, walk.at);
}

type Walk = {
  readonly source: Uint8Array;
  readonly out: Bytes;
  at: number;
  left: number;
  readonly maxElements: number;
};

// DER is longer by three bytes only, where an end mark becomes the length of 64 KB or more.
const maxBytesOf = (length: number): number => length + 3 * (MAX_DEPTH + 1) * Math.floor(length / 0x1_0000);

// Writes the element that begins here, or its content alone, and returns where it ends.
function convert(walk: Walk, start: number, limit: number, depth: number, part: 'whole' | 'content'): number {
  const { source } = walk;
  if (depth > MAX_DEPTH) throw new DerError('Elements are nested too deep.');
  if (walk.left-- <= 0) throw new TooManyElements(walk.maxElements);
  const tag = byteAt(source, start, limit);
  if ((tag & 0x1f) === 0x1f) throw new DerError('Tags of more than one byte are not used here.');
  const { content, end } = extentAt(source, start, limit);
  if (tag & CONSTRUCTED) return convertConstructed(walk, tag, { content, end, limit }, depth, part);
  if (end === undefined) throw new DerError('A primitive element has no end.');
  if (part === 'whole') putHeader(walk, walk.at, tag, end - content);
  copy(walk, content, end);
  return end;
}

// A call to set() with a view costs more than to copy a few bytes one by one.
const MAX_COPIED_SINGLY = 48;

function copy(walk: Walk, start: number, end: number): void {
  const { source, out } = walk;
  const to = walk.at;
  walk.at += end - start;
  if (end - start > MAX_COPIED_SINGLY) out.set(source.subarray(start, end), to);
  else for (let at = start; at < end; at++) out[to + at - start] = source[at] as number;
}

type Extent = { readonly content: number; readonly end: number | undefined };

// Where the content begins and, unless an end mark shows it, where it ends.
function extentAt(source: Uint8Array, start: number, limit: number): Extent {
  const first = byteAt(source, start + 1, limit);
  if (first === 0x80) return { content: start + 2, end: undefined };
  const count = first < 0x80 ? 0 : first & 0x7f;
  if (count > MAX_LENGTH_BYTES || start + 2 + count > limit) throw new DerError('A length is too long.');
  const content = start + 2 + count;
  const end = content + (count === 0 ? first : readUnsigned(source, start + 2, count));
  if (end > limit) throw new DerError('An element is cut short.');
  return { content, end };
}

// A string in pieces becomes one. Context tags stay as they are: only their reader knows what they hold.
function convertConstructed(
  walk: Walk,
  tag: number,
  { content, end, limit }: Extent & { readonly limit: number },
  depth: number,
  part: 'whole' | 'content',
): number {
  const primitive = tag & ~CONSTRUCTED;
  const isString = (tag & 0xc0) === 0 && STRINGS.has(primitive);
  const from = walk.at;
  let next = content;
  while (end === undefined ? !isEndMark(walk.source, next, limit) : next < end)
    next = convert(walk, next, end ?? limit, depth + 1, isString ? 'content' : 'whole');
  if (part === 'whole') putHeader(walk, from, isString ? primitive : tag, walk.at - from);
  return end ?? next + 2;
}

const isEndMark = (source: Uint8Array, at: number, limit: number): boolean =>
  byteAt(source, at, limit) === 0 && byteAt(source, at + 1, limit) === 0;

// Puts a header before the `length` bytes that were written from here on, or that are about to be.
function putHeader(walk: Walk, from: number, tag: number, length: number): void {
  const { out } = walk;
  const count = length < 0x80 ? 0 : Math.ceil(Math.log2(length + 1) / 8);
  const bytes = 2 + count;
  if (walk.at > from) out.copyWithin(from + bytes, from, walk.at);
  out[from] = tag;
  out[from + 1] = count === 0 ? length : 0x80 | count;
  for (let at = from + 1 + count, rest = length; at > from + 1; at--, rest = Math.floor(rest / 256))
    out[at] = rest % 256;
  walk.at += bytes;
}

function byteAt(source: Uint8Array, index: number, limit: number): number {
  const byte = source[index];
  if (byte === undefined || index >= limit) throw new DerError('An element is cut short.');
  return byte;
}
