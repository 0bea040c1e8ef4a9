import { DerError } from './read.ts';
import { tlv } from './write.ts';

// Deeper than any structure of ours; a bomb of nested headers is refused before it fills the stack.
const DEEPEST = 64;
const STRINGS = new Set([0x04, 0x03, 0x0c, 0x13, 0x14, 0x16, 0x1e]);

/**
 * The same value in DER, for producers that write BER: indefinite lengths, long lengths, strings in pieces. Each
 * element costs time and memory, so that `most` refuses what has more. @example const pfx = readDer(berToDer(bytes));
 */
export function berToDer(bytes: Uint8Array, most = Number.POSITIVE_INFINITY): Buffer {
  const { der, end } = convert({ source: Buffer.from(bytes), left: most }, 0, bytes.length, 0);
  if (end !== bytes.length) throw new DerError(`${bytes.length - end} bytes follow the element.`);
  return der;
}

type Converted = { readonly der: Buffer; readonly end: number };
type Walk = { readonly source: Buffer; left: number };

function convert(walk: Walk, start: number, limit: number, depth: number): Converted {
  const { source } = walk;
  if (depth > DEEPEST) throw new DerError('Elements are nested too deep.');
  if (walk.left-- <= 0) throw new DerError('There are too many elements.');
  const tag = at(source, start, limit);
  if ((tag & 0x1f) === 0x1f) throw new DerError('Tags of more than one byte are not used here.');
  const first = at(source, start + 1, limit);
  if (first === 0x80) return indefinite(walk, tag, start + 2, limit, depth);
  const count = first < 0x80 ? 0 : first & 0x7f;
  if (count > 6 || start + 2 + count > limit) throw new DerError('A length is too long.');
  const length = count === 0 ? first : source.readUIntBE(start + 2, count);
  const content = start + 2 + count;
  const end = content + length;
  if (end > limit) throw new DerError('An element is cut short.');
  if (!(tag & 0x20)) return { der: tlv(tag, source.subarray(content, end)), end };
  const parts: Buffer[] = [];
  for (let next = content; next < end; ) {
    const child = convert(walk, next, end, depth + 1);
    parts.push(child.der);
    next = child.end;
  }
  return { der: joined(tag, parts), end };
}

function indefinite(walk: Walk, tag: number, content: number, limit: number, depth: number): Converted {
  const { source } = walk;
  if (!(tag & 0x20)) throw new DerError('A primitive element has no end.');
  const parts: Buffer[] = [];
  let next = content;
  while (at(source, next, limit) !== 0 || at(source, next + 1, limit) !== 0) {
    const child = convert(walk, next, limit, depth + 1);
    parts.push(child.der);
    next = child.end;
  }
  return { der: joined(tag, parts), end: next + 2 };
}

// A string in pieces becomes one. Context tags are left as they are: only their reader knows what they hold.
// The parts are joined before they are wrapped: a hostile file has more of them than a call may have arguments.
function joined(tag: number, parts: readonly Buffer[]): Buffer {
  const primitive = tag & ~0x20;
  if ((tag & 0xc0) !== 0 || !STRINGS.has(primitive)) return tlv(tag, Buffer.concat(parts));
  return tlv(primitive, Buffer.concat(parts.map(contentOf)));
}

function contentOf(der: Buffer): Buffer {
  const first = der[1] ?? 0;
  return der.subarray(first < 0x80 ? 2 : 2 + (first & 0x7f));
}

function at(source: Buffer, index: number, limit: number): number {
  const byte = source[index];
  if (byte === undefined || index >= limit) throw new DerError('An element is cut short.');
  return byte;
}
