/** One element of DER: its tag, its content, and its bytes as they stand in the source. */
export type Element<Source extends Uint8Array = Uint8Array> = {
  readonly tag: number;
  readonly content: Source;
  /** Header and content: the bytes that a signature or a hash covers. */
  readonly raw: Source;
};

/** The bytes are not what they claim to be. Never a bug of ours: input is never trusted. */
export class DerError extends Error {
  override readonly name = 'DerError';
}

/**
 * A list has more elements than any honest one: reading them all would take a hundred times their bytes in memory.
 * @example error instanceof TooManyElements && error.max
 */
export class TooManyElements extends DerError {
  readonly max: number;

  constructor(max: number) {
    super(`A part has more than the ${max} elements that are read.`);
    this.max = max;
  }
}

const fail = (message: string): never => {
  throw new DerError(message);
};

/**
 * The one element that these bytes are. Bytes after it are refused. The element's bytes are views of the source, and of
 * its class: Buffers of a Buffer.
 * @example const [tbs] = children(readElement(certificate))
 */
export function readElement<Source extends Uint8Array>(source: Source): Element<Source> {
  const element = elementAt(source, 0);
  if (element.raw.length !== source.length)
    fail(`${source.length - element.raw.length} bytes follow the element.`);
  return element;
}

function elementAt<Source extends Uint8Array>(source: Source, start: number): Element<Source> {
  const tag = source[start] ?? fail('An element begins where the bytes end.');
  if ((tag & 0x1f) === 0x1f) fail('Tags of more than one byte are not used here.');
  const { length, headerBytes } = lengthAt(source, start + 1);
  const contentStart = start + 1 + headerBytes;
  const end = contentStart + length;
  if (end > source.length) fail(`An element of ${length} bytes has only ${source.length - contentStart}.`);
  return { tag, content: view(source, contentStart, end), raw: view(source, start, end) };
}

// The type of subarray() forgets the class of the source. Its value does not.
const view = <Source extends Uint8Array>(source: Source, start: number, end: number): Source =>
  source.subarray(start, end) as Source;

const MAX_LENGTH_BYTES = 6; // 2^48 bytes: more than any file

function lengthAt(source: Uint8Array, at: number): { length: number; headerBytes: number } {
  const first = source[at] ?? fail('An element has no length.');
  if (first < 0x80) return { length: first, headerBytes: 1 };
  const count = first & 0x7f;
  if (count === 0) fail('An indefinite length is BER and not DER.');
  if (count > MAX_LENGTH_BYTES || at + 1 + count > source.length) fail('A length is too long.');
  const length = readUnsigned(source, at + 1, count);
  if (length < 0x80 || (count > 1 && length < 256 ** (count - 1)))
    fail('A length is not in its shortest form.');
  return { length, headerBytes: 1 + count };
}

/** The big-endian number in at most six bytes. They must be there. @example readUnsigned(source, 2, 2) */
export function readUnsigned(source: Uint8Array, at: number, count: number): number {
  let value = 0;
  for (let index = at; index < at + count; index++) value = value * 256 + (source[index] as number);
  return value;
}

// A server's certificate for hundreds of names comes nearest. An element that is held takes some 250 bytes.
const MAX_CHILDREN = 1000;

/**
 * The elements inside a constructed one, unless there are too many to hold.
 * @example const [tbs, algorithm, signature] = children(certificate)
 */
export function children<Source extends Uint8Array>(
  element: Element<Source>,
  max: number = MAX_CHILDREN,
): Element<Source>[] {
  const found: Element<Source>[] = [];
  for (const child of eachChild(element)) if (found.push(child) > max) throw new TooManyElements(max);
  return found;
}

/** The same one by one, for lists of any length: a CRL has a million. @example for (const entry of eachChild(list)) … */
export function* eachChild<Source extends Uint8Array>(
  element: Element<Source>,
): Generator<Element<Source>, void> {
  if (!(element.tag & 0x20)) fail(`Tag 0x${element.tag.toString(16)} holds no elements.`);
  for (let at = 0; at < element.content.length; ) {
    const child = elementAt(element.content, at);
    yield child;
    at += child.raw.length;
  }
}

/** The element, if it has this tag; else it is refused. @example expectTag(node, TAG.SEQUENCE) */
export function expectTag<Source extends Uint8Array>(
  element: Element<Source> | undefined,
  tag: number,
): Element<Source> {
  if (!element) return fail(`An element with tag 0x${tag.toString(16)} is missing.`);
  if (element.tag !== tag) fail(`Tag 0x${element.tag.toString(16)} stands where 0x${tag.toString(16)} must.`);
  return element;
}

/** The children of an element that must have this tag. @example const [issuer, serial] = childrenOf(node, TAG.SEQUENCE) */
export const childrenOf = <Source extends Uint8Array>(
  element: Element<Source> | undefined,
  tag: number,
  max?: number,
): Element<Source>[] => children(expectTag(element, tag), max);
