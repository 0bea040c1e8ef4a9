import { latin1Text } from './bytes.ts';
import { DerError, type Element, readUnsigned } from './element.ts';
import { TAG } from './tags.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

const DECODERS: Readonly<Record<number, (bytes: Uint8Array) => string>> = {
  [TAG.UTF8_STRING]: (bytes) => utf8.decode(bytes),
  [TAG.PRINTABLE_STRING]: latin1Text,
  [TAG.NUMERIC_STRING]: latin1Text,
  [TAG.IA5_STRING]: latin1Text,
  [TAG.VISIBLE_STRING]: latin1Text,
  // In the wild it holds Latin-1, whatever T.61 says.
  [TAG.TELETEX_STRING]: latin1Text,
  [TAG.BMP_STRING]: utf16,
  [TAG.UNIVERSAL_STRING]: utf32,
};

export const isText = (element: Element): boolean => element.tag in DECODERS;

/** Any of the string types that certificates use. @example readText(attributeValue) */
export function readText(element: Element): string {
  const decode = DECODERS[element.tag];
  if (!decode) throw new DerError(`Tag 0x${element.tag.toString(16)} is no text.`);
  try {
    return decode(element.content);
  } catch {
    throw new DerError('A text is not in the encoding that it claims.');
  }
}

function utf16(bytes: Uint8Array): string {
  if (bytes.length % 2) throw new DerError('A BMPString has half a character.');
  let text = '';
  for (let at = 0; at < bytes.length; at += 2) text += String.fromCharCode(readUnsigned(bytes, at, 2));
  return text;
}

function utf32(bytes: Uint8Array): string {
  if (bytes.length % 4) throw new DerError('A UniversalString has part of a character.');
  let text = '';
  for (let at = 0; at < bytes.length; at += 4) text += String.fromCodePoint(readUnsigned(bytes, at, 4));
  return text;
}

const MAX_TIME_BYTES = 25; // a GeneralizedTime with nine digits of a second
const UTC = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?Z$/;
const GENERALIZED = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.(\d{1,9}))?Z$/;

export const isTime = ({ tag }: Element): boolean => tag === TAG.UTC_TIME || tag === TAG.GENERALIZED_TIME;

/** Milliseconds since 1970. Only UTC, as DER and X.509 ask. @example readTime(notAfter) */
export function readTime(element: Element | undefined): number {
  const text = element && element.content.length <= MAX_TIME_BYTES ? latin1Text(element.content) : '';
  const parts = (element?.tag === TAG.UTC_TIME ? UTC : GENERALIZED).exec(text);
  if (!element || !isTime(element) || !parts) throw new DerError('A time is not written as UTC.');
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(1, 7)
    .map((p) => Number(p ?? 0));
  const full = element.tag === TAG.UTC_TIME ? year + (year < 50 ? 2000 : 1900) : year;
  const fraction = element.tag === TAG.UTC_TIME ? 0 : Math.floor(Number(`0.${parts[7] ?? 0}`) * 1000);
  const ms = Date.UTC(full, month - 1, day, hour, minute, second, fraction);
  const isReal = new Date(ms).getUTCDate() === day && month >= 1 && month <= 12 && hour < 24 && minute < 60;
  if (!isReal) throw new DerError('A time names a day or hour that does not exist.');
  return full < 100 ? new Date(ms).setUTCFullYear(full) : ms;
}
