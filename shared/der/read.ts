import { TAG } from './tags.ts';

/** One element: its tag, what it holds, and its bytes as they stand in the source. */
export type Element = {
  readonly tag: number;
  readonly content: Buffer;
  /** Header and content: what a signature or a hash covers. */
  readonly raw: Buffer;
};

/** The bytes are not what they claim to be. Never a bug of ours: input is never trusted. */
export class DerError extends Error {
  override readonly name = 'DerError';
}

/**
 * A list has more elements than any honest one: reading them all would take a hundred times their bytes in memory.
 * @example error instanceof TooManyElements && error.most
 */
export class TooManyElements extends DerError {
  readonly most: number;

  constructor(most: number) {
    super(`A part has more than the ${most} elements that are read.`);
    this.most = most;
  }
}

const fail = (what: string): never => {
  throw new DerError(what);
};

/** The one element that these bytes are. Bytes after it are refused. @example const certificate = readDer(bytes) */
export function readDer(bytes: Uint8Array): Element {
  const source = asBuffer(bytes);
  const element = elementAt(source, 0);
  if (element.raw.length !== source.length)
    fail(`${source.length - element.raw.length} bytes follow the element.`);
  return element;
}

/** The element that these bytes begin with; what follows is left alone (a padded PDF /Contents, for example). */
export const readFirst = (bytes: Uint8Array): Element => elementAt(asBuffer(bytes), 0);

const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function elementAt(source: Buffer, start: number): Element {
  const tag = source[start] ?? fail('An element begins where the bytes end.');
  if ((tag & 0x1f) === 0x1f) fail('Tags of more than one byte are not used here.');
  const { length, headerBytes } = lengthAt(source, start + 1);
  const contentStart = start + 1 + headerBytes;
  const end = contentStart + length;
  if (end > source.length) fail(`An element of ${length} bytes has only ${source.length - contentStart}.`);
  return { tag, content: source.subarray(contentStart, end), raw: source.subarray(start, end) };
}

const MAX_LENGTH_BYTES = 6; // 2^48 bytes: more than any file

function lengthAt(source: Buffer, at: number): { length: number; headerBytes: number } {
  const first = source[at] ?? fail('An element has no length.');
  if (first < 0x80) return { length: first, headerBytes: 1 };
  const count = first & 0x7f;
  if (count === 0) fail('An indefinite length is BER and not DER.');
  if (count > MAX_LENGTH_BYTES || at + 1 + count > source.length) fail('A length is too long.');
  const length = source.readUIntBE(at + 1, count);
  if (length < 0x80 || (count > 1 && length < 256 ** (count - 1)))
    fail('A length is not in its shortest form.');
  return { length, headerBytes: 1 + count };
}

// A server's certificate for hundreds of names comes nearest. An element that is held takes some 250 bytes.
const MAX_CHILDREN = 1000;

/**
 * The elements inside a constructed one, unless there are too many to hold.
 * @example const [tbs, algorithm, signature] = children(certificate)
 */
export function children(element: Element, most: number = MAX_CHILDREN): Element[] {
  const found: Element[] = [];
  for (const child of eachChild(element)) if (found.push(child) > most) throw new TooManyElements(most);
  return found;
}

/** The same one by one, for lists of any length: a CRL has a million. @example for (const entry of eachChild(list)) … */
export function* eachChild(element: Element): Generator<Element, void> {
  if (!(element.tag & 0x20)) fail(`Tag 0x${element.tag.toString(16)} holds no elements.`);
  for (let at = 0; at < element.content.length; ) {
    const child = elementAt(element.content, at);
    yield child;
    at += child.raw.length;
  }
}

/** The element, if it has this tag; else it is refused. @example expectTag(node, TAG.SEQUENCE) */
export function expectTag(element: Element | undefined, tag: number): Element {
  if (!element) return fail(`An element with tag 0x${tag.toString(16)} is missing.`);
  if (element.tag !== tag) fail(`Tag 0x${element.tag.toString(16)} stands where 0x${tag.toString(16)} must.`);
  return element;
}

/** The children of an element that must have this tag. @example const [issuer, serial] = childrenOf(node, TAG.SEQUENCE) */
export const childrenOf = (element: Element | undefined, tag: number, most?: number): Element[] =>
  children(expectTag(element, tag), most);

const MAX_OID_BYTES = 256; // the longest in use have some twenty

/** @example readOid(node) // '2.5.29.19' */
export function readOid(element: Element | undefined): string {
  const { content } = expectTag(element, TAG.OID);
  if (content.length > MAX_OID_BYTES) fail(`An object identifier has ${content.length} bytes.`);
  const last = content.at(-1);
  if (last === undefined || last & 0x80) fail('An object identifier is cut short.');
  const arcs: number[] = [];
  let arc = 0;
  let begins = true;
  for (const byte of content) {
    if (begins && byte === 0x80) fail('An arc of an object identifier begins with zero.');
    arc = arc * 128 + (byte & 0x7f);
    if (arc > Number.MAX_SAFE_INTEGER) fail('An arc of an object identifier is too large.');
    begins = !(byte & 0x80);
    if (!begins) continue;
    arcs.push(arc);
    arc = 0;
  }
  const [joint = 0, ...rest] = arcs;
  const first = Math.min(2, Math.floor(joint / 40));
  return [first, joint - first * 40, ...rest].join('.');
}

/** Any size, with its sign. */
export function readInteger(element: Element | undefined): bigint {
  const { content } = expectTag(element, TAG.INTEGER);
  return signed(content);
}

function signed(content: Buffer): bigint {
  const [first, second] = content;
  if (first === undefined) return fail('An integer is empty.');
  const isPadded =
    second !== undefined && ((first === 0 && second < 0x80) || (first === 0xff && second >= 0x80));
  if (isPadded) fail('An integer is not in its shortest form.');
  const value = BigInt(`0x${content.toString('hex')}`);
  return first & 0x80 ? value - (1n << BigInt(content.length * 8)) : value;
}

/** A count, a version: something that must fit an ordinary number and not be negative. */
export function readCount(element: Element | undefined): number {
  const value = readInteger(element);
  if (value < 0n || value > BigInt(Number.MAX_SAFE_INTEGER)) fail('A number is out of range.');
  return Number(value);
}

export function readBoolean(element: Element | undefined): boolean {
  const { content } = expectTag(element, TAG.BOOLEAN);
  if (content.length !== 1 || (content[0] !== 0 && content[0] !== 0xff))
    fail('A boolean is neither true nor false.');
  return content[0] === 0xff;
}

/** The bits' bytes. A string whose bits do not fill its bytes tells how many of the last are unused. */
export function readBitString(element: Element | undefined): { bytes: Buffer; unusedBits: number } {
  const { content } = expectTag(element, TAG.BIT_STRING);
  const unusedBits = content[0] ?? fail('A bit string is empty.');
  if (unusedBits > 7 || (unusedBits > 0 && content.length === 1))
    fail('A bit string counts its bits wrongly.');
  return { bytes: content.subarray(1), unusedBits };
}

/** A bit string of whole bytes, as keys and signatures are. @example readWholeBytes(signature) */
export function readWholeBytes(element: Element | undefined): Buffer {
  const { bytes, unusedBits } = readBitString(element);
  if (unusedBits) fail('A bit string that holds bytes ends within one.');
  return bytes;
}
