import { type Bytes, concat } from './bytes.ts';

/** One element of BER, which is DER with looser lengths: NSS writes PKCS#12 files with indefinite ones. */
export type Element = {
  readonly tag: number;
  /** What is inside, of a constructed element. */
  readonly children: readonly Element[];
  readonly content: Bytes;
  /** The whole element, tag and length included. */
  readonly raw: Bytes;
};

export const TAG = {
  INTEGER: 0x02,
  OCTET_STRING: 0x04,
  OID: 0x06,
  SEQUENCE: 0x30,
  SET: 0x31,
  CONTEXT_0: 0xa0,
} as const;

/** The bytes are not what they should be. */
export class Malformed extends Error {
  override readonly name = 'Malformed';
}

const CONSTRUCTED = 0x20;
const INDEFINITE = 0x80;
const MAX_LENGTH_BYTES = 4;
const MAX_DEPTH = 40; // a PKCS#12 file nests about fifteen deep

/** The one element that these bytes are. Anything after it is refused. @example readElement(certificate.der) */
export function readElement(bytes: Bytes): Element {
  const { element, end } = readAt(bytes, 0, 0);
  if (end !== bytes.length) throw new Malformed('Something follows the last element.');
  return element;
}

type Read = { readonly element: Element; readonly end: number };

function readAt(bytes: Bytes, start: number, depth: number): Read {
  if (depth > MAX_DEPTH) throw new Malformed('Elements are nested too deep.');
  const tag = byteAt(bytes, start);
  if ((tag & 0x1f) === 0x1f) throw new Malformed('A tag takes more than one byte.');
  const { length, at } = readLength(bytes, start + 1);
  const isConstructed = (tag & CONSTRUCTED) !== 0;
  if (length === undefined) {
    if (!isConstructed) throw new Malformed('A primitive element has no length.');
    return readIndefinite(bytes, start, at, depth);
  }
  const end = at + length;
  if (end > bytes.length) throw new Malformed('An element is cut short.');
  const children = isConstructed ? readChildren(bytes.subarray(at, end), depth + 1) : [];
  return {
    element: { tag, children, content: bytes.subarray(at, end), raw: bytes.subarray(start, end) },
    end,
  };
}

function readLength(
  bytes: Bytes,
  start: number,
): { readonly length: number | undefined; readonly at: number } {
  const first = byteAt(bytes, start);
  if (first === INDEFINITE) return { length: undefined, at: start + 1 };
  if (first < INDEFINITE) return { length: first, at: start + 1 };
  const count = first & 0x7f;
  if (count > MAX_LENGTH_BYTES) throw new Malformed('A length is too long.');
  let length = 0;
  for (let i = 1; i <= count; i++) length = length * 256 + byteAt(bytes, start + i);
  return { length, at: start + 1 + count };
}

function readChildren(bytes: Bytes, depth: number): Element[] {
  const children: Element[] = [];
  for (let at = 0; at < bytes.length; ) {
    const { element, end } = readAt(bytes, at, depth);
    children.push(element);
    at = end;
  }
  return children;
}

// Two zero bytes end it.
function readIndefinite(bytes: Bytes, start: number, contentAt: number, depth: number): Read {
  const children: Element[] = [];
  let at = contentAt;
  while (byteAt(bytes, at) !== 0 || byteAt(bytes, at + 1) !== 0) {
    const { element, end } = readAt(bytes, at, depth + 1);
    children.push(element);
    at = end;
  }
  const element = {
    tag: byteAt(bytes, start),
    children,
    content: bytes.subarray(contentAt, at),
    raw: bytes.subarray(start, at + 2),
  };
  return { element, end: at + 2 };
}

function byteAt(bytes: Bytes, at: number): number {
  const byte = bytes[at];
  if (byte === undefined) throw new Malformed('An element is cut short.');
  return byte;
}

/** The element's children, if it is there and of this kind. @example const [oid, value] = childrenOf(attribute, TAG.SEQUENCE) */
export function childrenOf(element: Element | undefined, tag: number): readonly Element[] {
  if (element?.tag !== tag) throw new Malformed(`An element with tag ${tag} is missing.`);
  return element.children;
}

/** The bytes of an OCTET STRING, or of one whose tag was replaced. BER may cut them into pieces. */
export function octetsOf(element: Element | undefined): Bytes {
  if (!element) throw new Malformed('An octet string is missing.');
  return (element.tag & CONSTRUCTED) === 0 ? element.content : concat(...element.children.map(octetsOf));
}

/** An object identifier as people write it. @example oidOf(type) // '1.2.840.113549.1.9.4' */
export function oidOf(element: Element | undefined): string {
  if (element?.tag !== TAG.OID) throw new Malformed('An object identifier is missing.');
  const numbers: number[] = [];
  let number = 0;
  for (const byte of element.content) {
    number = number * 128 + (byte & 0x7f);
    if ((byte & 0x80) !== 0) continue;
    numbers.push(number);
    number = 0;
  }
  const [first = 0, ...rest] = numbers;
  const root = Math.min(2, Math.floor(first / 40));
  return [root, first - root * 40, ...rest].join('.');
}

/** A small number that cannot be negative, such as a count of rounds. */
export function countOf(element: Element | undefined): number {
  if (element?.tag !== TAG.INTEGER) throw new Malformed('A number is missing.');
  const count = element.content.reduce((value, byte) => value * 256 + byte, 0);
  if (!Number.isSafeInteger(count)) throw new Malformed('A number is too large.');
  return count;
}
