import { context, TAG } from './tags.ts';

function lengthBytes(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return Buffer.from([0x80 | bytes.length, ...bytes]);
}

/** The tag and length that go before `length` bytes, for content that is streamed. @example header(TAG.OCTET_STRING, size) */
export const header = (tag: number, length: number): Buffer =>
  Buffer.concat([Buffer.from([tag]), lengthBytes(length)]);

/** Any element. @example tlv(TAG.OCTET_STRING, digest) */
export function tlv(tag: number, ...contents: Uint8Array[]): Buffer {
  const length = contents.reduce((sum, content) => sum + content.length, 0);
  return Buffer.concat([header(tag, length), ...contents]);
}

export const sequence = (...contents: Uint8Array[]): Buffer => tlv(TAG.SEQUENCE, ...contents);

/** SET OF: DER wants its elements in the order of their bytes. */
export const setOf = (...contents: Uint8Array[]): Buffer =>
  tlv(TAG.SET, ...contents.toSorted(Buffer.compare));

/** `[n] EXPLICIT`, and `[n] IMPLICIT` of anything constructed. @example explicit(0, content) */
export const explicit = (n: number, ...contents: Uint8Array[]): Buffer => tlv(context(n), ...contents);

/** `[n] IMPLICIT` of something primitive. @example implicit(6, Buffer.from(uri)) */
export const implicit = (n: number, content: Uint8Array): Buffer => tlv(context(n, 'primitive'), content);

/** The same element under another tag: how `[n] IMPLICIT` of a whole SET or SEQUENCE is written. */
export const retag = (tag: number, element: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([tag]), element.subarray(1)]);

export const octetString = (content: Uint8Array): Buffer => tlv(TAG.OCTET_STRING, content);
export const bitString = (content: Uint8Array, unusedBits = 0): Buffer =>
  tlv(TAG.BIT_STRING, Buffer.from([unusedBits]), content);
export const NULL = tlv(TAG.NULL);
export const boolean = (value: boolean): Buffer => tlv(TAG.BOOLEAN, Buffer.from([value ? 0xff : 0]));
export const enumerated = (value: number): Buffer => tlv(TAG.ENUMERATED, Buffer.from([value]));

/** A number, or the big-endian bytes of one that is not negative. @example integer(serialBytes) */
export function integer(value: number | bigint | Uint8Array): Buffer {
  if (value instanceof Uint8Array) return tlv(TAG.INTEGER, unsigned(value));
  const number = BigInt(value);
  if (number < 0n) throw new RangeError('No structure of ours holds a negative number.');
  const hex = number.toString(16);
  return tlv(TAG.INTEGER, unsigned(Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex')));
}

// The shortest form, with a zero before a byte that would make the number negative.
function unsigned(bytes: Uint8Array): Buffer {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start++;
  const shortest = bytes.subarray(start);
  const first = shortest[0] ?? 0;
  return first & 0x80 || shortest.length === 0
    ? Buffer.concat([Buffer.from([0]), shortest])
    : Buffer.from(shortest);
}

const knownOids = new Map<string, Buffer>();

/** @example oid('1.2.840.113549.1.7.2') */
export function oid(text: string): Buffer {
  const known = knownOids.get(text);
  if (known) return known;
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  const bytes = [first * 40 + second, ...rest].flatMap(base128);
  const element = tlv(TAG.OID, Buffer.from(bytes));
  knownOids.set(text, element);
  return element;
}

function base128(arc: number): number[] {
  const bytes = [arc % 128];
  for (let rest = Math.floor(arc / 128); rest > 0; rest = Math.floor(rest / 128))
    bytes.unshift((rest % 128) | 0x80);
  return bytes;
}

export const utf8String = (text: string): Buffer => tlv(TAG.UTF8_STRING, Buffer.from(text, 'utf8'));
export const printableString = (text: string): Buffer =>
  tlv(TAG.PRINTABLE_STRING, Buffer.from(text, 'latin1'));
export const ia5String = (text: string): Buffer => tlv(TAG.IA5_STRING, Buffer.from(text, 'latin1'));

const digits = (ms: number): string => new Date(ms).toISOString().replace(/[-:T]/g, '').slice(0, 14);

export const utcTime = (ms: number): Buffer => tlv(TAG.UTC_TIME, Buffer.from(`${digits(ms).slice(2)}Z`));
export const generalizedTime = (ms: number): Buffer =>
  tlv(TAG.GENERALIZED_TIME, Buffer.from(`${digits(ms)}Z`));

/** As X.509 and CMS want it: UTCTime from 1950 to 2049, GeneralizedTime outside. @example time(Date.now()) */
export function time(ms: number): Buffer {
  const year = new Date(ms).getUTCFullYear();
  return year >= 1950 && year < 2050 ? utcTime(ms) : generalizedTime(ms);
}
