import { DerError, TooManyElements } from './read.ts';

// Deeper than any structure of ours; a bomb of nested headers is refused before it fills the stack.
const MAX_DEPTH = 64;
const STRINGS = new Set([0x04, 0x03, 0x0c, 0x13, 0x14, 0x16, 0x1e]);
const CONSTRUCTED = 0x20;

/**
 * The same value in DER, for producers that write BER: indefinite lengths, long lengths, strings in pieces. It is
 * written into one buffer, so that elements take no memory of their own; they take time, and `most` refuses what has
 * more. @example const pfx = readDer(berToDer(bytes));
 */
export function berToDer(bytes: Uint8Array, most = Number.POSITIVE_INFINITY): Buffer {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const walk: Walk = { source, out: Buffer.allocUnsafe(mostBytes(source.length)), at: 0, left: most, most };
  const end = convert(walk, 0, source.length, 0, 'whole');
  if (end !== source.length) throw new DerError(`${source.length - end} bytes follow the element.`);
  return walk.out.subarray(0, walk.at);
}

type Walk = {
  readonly source: Buffer;
  readonly out: Buffer;
  at: number;
  left: number;
  readonly most: number;
};

// DER is never longer but by three bytes, where an end mark becomes the length of 64 KB or more.
const mostBytes = (length: number): number => length + 3 * (MAX_DEPTH + 1) * Math.floor(length / 0x1_0000);

// Writes the element that begins here, or what it holds, and answers where it ends.
function convert(walk: Walk, start: number, limit: number, depth: number, part: 'whole' | 'content'): number {
  const { source } = walk;
  if (depth > MAX_DEPTH) throw new DerError('Elements are nested too deep.');
  if (walk.left-- <= 0) throw new TooManyElements(walk.most);
  const tag = byteAt(source, start, limit);
  if ((tag & 0x1f) === 0x1f) throw new DerError('Tags of more than one byte are not used here.');
  const { content, end } = extentAt(source, start, limit);
  if (tag & CONSTRUCTED) return constructed(walk, tag, { content, end, limit }, depth, part);
  if (end === undefined) throw new DerError('A primitive element has no end.');
  if (part === 'whole') putHeader(walk, walk.at, tag, end - content);
  source.copy(walk.out, walk.at, content, end);
  walk.at += end - content;
  return end;
}

type Extent = { readonly content: number; readonly end: number | undefined };

// Where the content begins and, unless an end mark tells, where it ends.
function extentAt(source: Buffer, start: number, limit: number): Extent {
  const first = byteAt(source, start + 1, limit);
  if (first === 0x80) return { content: start + 2, end: undefined };
  const count = first < 0x80 ? 0 : first & 0x7f;
  if (count > 6 || start + 2 + count > limit) throw new DerError('A length is too long.');
  const content = start + 2 + count;
  const end = content + (count === 0 ? first : source.readUIntBE(start + 2, count));
  if (end > limit) throw new DerError('An element is cut short.');
  return { content, end };
}

// A string in pieces becomes one. Context tags are left as they are: only their reader knows what they hold.
function constructed(
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

const isEndMark = (source: Buffer, at: number, limit: number): boolean =>
  byteAt(source, at, limit) === 0 && byteAt(source, at + 1, limit) === 0;

// Puts a header before the `length` bytes that were written from here on, or that are about to be.
function putHeader(walk: Walk, from: number, tag: number, length: number): void {
  const { out } = walk;
  const count = length < 0x80 ? 0 : Math.ceil(Math.log2(length + 1) / 8);
  const bytes = 2 + count;
  if (walk.at > from) out.copyWithin(from + bytes, from, walk.at);
  out[from] = tag;
  out[from + 1] = count === 0 ? length : 0x80 | count;
  if (count > 0) out.writeUIntBE(length, from + 2, count);
  walk.at += bytes;
}

function byteAt(source: Buffer, index: number, limit: number): number {
  const byte = source[index];
  if (byte === undefined || index >= limit) throw new DerError('An element is cut short.');
  return byte;
}
