import { children, DerError, type Element, expectTag } from './element.ts';
import { TAG } from './tags.ts';

const fail = (message: string): never => {
  throw new DerError(message);
};

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

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Any size, with its sign. */
export function readInteger(element: Element | undefined): bigint {
  const { content } = expectTag(element, TAG.INTEGER);
  const [first, second] = content;
  if (first === undefined) return fail('An integer is empty.');
  const isPadded =
    second !== undefined && ((first === 0 && second < 0x80) || (first === 0xff && second >= 0x80));
  if (isPadded) fail('An integer is not in its shortest form.');
  // By its digits: adding byte after byte would take the square of the length.
  let digits = '0x';
  for (const byte of content) digits += HEX[byte];
  const value = BigInt(digits);
  return first & 0x80 ? value - (1n << BigInt(content.length * 8)) : value;
}

/** A count or a version: a number that fits an ordinary one and is not negative. */
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

/** The bytes of a bit string, and how many bits of the last one are unused. */
export function readBitString<Source extends Uint8Array>(
  element: Element<Source> | undefined,
): { bytes: Source; unusedBits: number } {
  const { content } = expectTag(element, TAG.BIT_STRING);
  const unusedBits = content[0] ?? fail('A bit string is empty.');
  if (unusedBits > 7 || (unusedBits > 0 && content.length === 1))
    fail('A bit string counts its bits wrongly.');
  return { bytes: content.subarray(1) as Source, unusedBits };
}

/** A bit string of whole bytes, as keys and signatures are. @example readWholeBytes(signature) */
export function readWholeBytes<Source extends Uint8Array>(element: Element<Source> | undefined): Source {
  const { bytes, unusedBits } = readBitString(element);
  if (unusedBits) fail('A bit string that holds bytes ends within one.');
  return bytes;
}

/** RFC 5280, 4.1.1.2. */
export type AlgorithmIdentifier<Source extends Uint8Array = Uint8Array> = {
  readonly oid: string;
  readonly parameters?: Element<Source>;
  readonly der: Source;
};

/** @example const { oid } = readAlgorithm(node) // '1.2.840.113549.1.1.11' */
export function readAlgorithm<Source extends Uint8Array>(
  element: Element<Source> | undefined,
): AlgorithmIdentifier<Source> {
  const sequence = expectTag(element, TAG.SEQUENCE);
  const [oid, parameters, ...more] = children(sequence);
  if (more.length) throw new DerError('An algorithm has more than one set of parameters.');
  return { oid: readOid(oid), ...(parameters && { parameters }), der: sequence.raw };
}
