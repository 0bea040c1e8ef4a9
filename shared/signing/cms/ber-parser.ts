import { TAG } from '../../der/tags.ts';
import { CmsMalformed } from '../errors.ts';
import type { Input, Parser } from './input.ts';

/** An element's header in a stream. `end` is undefined for an indefinite length, which an end-of-contents mark ends. */
export type Opened = { readonly tag: number; readonly end: number | undefined; readonly header: Buffer };

// Denial of service: all of a structure but its content is held in memory. Real ones, CRLs included, are smaller.
const MAX_HELD_BYTES = 32 * 1024 * 1024;
const MAX_ELEMENTS = 1000; // certificates or CRLs; each costs time and memory
const MAX_DEPTH = 64;
const END_MARK_BYTES = 2;

/** Reads the tag and length of the next element. */
function* openElement(input: Input, within?: Opened): Parser<Opened> {
  input.spend();
  return yield* readHeader(input, within);
}

function* readHeader(input: Input, within?: Opened): Parser<Opened> {
  const start = yield* input.take(2);
  const [tag = 0, first = 0] = start;
  if ((tag & 0x1f) === 0x1f)
    throw new CmsMalformed('A tag of more than one byte stands in the CMS structure.');
  if (first === 0x80) {
    if (!(tag & 0x20)) throw new CmsMalformed('A primitive element of the CMS structure has no end.');
    return { tag, end: undefined, header: start };
  }
  const count = first < 0x80 ? 0 : first & 0x7f;
  if (count > 6) throw new CmsMalformed('A length in the CMS structure is too long.');
  const rest = yield* input.take(count);
  const length = count === 0 ? first : rest.readUIntBE(0, count);
  const end = input.position() + length;
  if (within?.end !== undefined && end > within.end)
    throw new CmsMalformed('An element of the CMS structure is longer than the one that holds it.');
  return { tag, end, header: count ? Buffer.concat([start, rest]) : start };
}

/** The same, for an element that must have this tag. Throws CmsMalformed for another. */
export function* openTag(input: Input, tag: number, within?: Opened): Parser<Opened> {
  const opened = yield* openElement(input, within);
  if (opened.tag !== tag)
    throw new CmsMalformed(
      `The CMS structure has tag 0x${opened.tag.toString(16)} where 0x${tag.toString(16)} must stand.`,
    );
  return opened;
}

/** Whether anything is left inside an element. */
export function* hasMore(input: Input, inside: Opened): Parser<boolean> {
  if (inside.end !== undefined) return input.position() < inside.end;
  const next = yield* input.peek(END_MARK_BYTES);
  return next.length < END_MARK_BYTES || next[0] !== 0 || next[1] !== 0;
}

/** Leaves an element, which must have no content left. */
export function* close(input: Input, inside: Opened): Parser<void> {
  if (yield* hasMore(input, inside)) throw new CmsMalformed('The CMS structure holds more than it should.');
  if (inside.end === undefined) yield* input.take(END_MARK_BYTES);
}

/** The next element whole, in memory, its bytes unchanged. */
export function* takeElement(input: Input, within?: Opened, depth = 0): Parser<Buffer> {
  if (depth > MAX_DEPTH) throw new CmsMalformed('The CMS structure is nested too deep.');
  const opened = yield* openElement(input, within);
  if (opened.end !== undefined) {
    const length = opened.end - input.position();
    if (length > MAX_HELD_BYTES)
      throw new CmsMalformed(`A part of ${length} bytes is larger than the ${MAX_HELD_BYTES} allowed.`);
    return Buffer.concat([opened.header, yield* input.take(length)]);
  }
  const from = input.position();
  const parts = [opened.header];
  while (yield* hasMore(input, opened)) {
    parts.push(yield* takeElement(input, opened, depth + 1));
    if (input.position() - from > MAX_HELD_BYTES)
      throw new CmsMalformed(`A part is larger than the ${MAX_HELD_BYTES} bytes allowed.`);
  }
  return Buffer.concat([...parts, yield* input.take(END_MARK_BYTES)]);
}

/** Every element inside an opened one, which is closed at the end. */
export function* takeElements(input: Input, inside: Opened, most: number = MAX_ELEMENTS): Parser<Buffer[]> {
  const found: Buffer[] = [];
  while (yield* hasMore(input, inside)) {
    if (found.push(yield* takeElement(input, inside)) > most)
      throw new CmsMalformed(`A set has more than the ${most} elements allowed.`);
  }
  yield* close(input, inside);
  return found;
}

// Denial of service: each piece costs. Writers of BER use pieces of a kilobyte and more; tiny ones are refused.
const FEW_PIECES = 10_000;
const MIN_PIECE_BYTES = 64;

/** Passes the content of an OCTET STRING on, which in BER may be in segments. Answers its size. */
export function* passString(input: Input, opened: Opened): Parser<number> {
  if (!(opened.tag & 0x20)) return yield* passPrimitive(input, opened);
  let size = 0;
  for (let pieces = 1; yield* hasMore(input, opened); pieces++) {
    const piece = yield* readHeader(input, opened);
    if (piece.tag !== TAG.OCTET_STRING) throw new CmsMalformed('A string in pieces holds something else.');
    size += yield* passPrimitive(input, piece);
    if (pieces > FEW_PIECES && size < pieces * MIN_PIECE_BYTES)
      throw new CmsMalformed('The content is cut into too many pieces.');
  }
  yield* close(input, opened);
  return size;
}

function* passPrimitive(input: Input, { end = 0 }: Opened): Parser<number> {
  const length = end - input.position();
  yield* input.pass(length);
  return length;
}
