import { isRegular } from './characters.ts';

export type PdfName = { readonly kind: 'name'; readonly name: string };
export type PdfRef = { readonly kind: 'ref'; readonly id: number; readonly generation: number };
/** A number with a fraction or out of range. Its text is preserved, so that rewriting an object changes nothing. */
export type PdfReal = { readonly kind: 'real'; readonly text: string };
/** A string as written, with delimiters: a view of the file, unless its object is compressed. */
export type PdfString = { readonly kind: 'string'; readonly raw: Buffer };
export type PdfArray = readonly PdfValue[];
export type PdfDict = ReadonlyMap<string, PdfValue>;
export type PdfValue = null | boolean | number | PdfName | PdfRef | PdfReal | PdfString | PdfArray | PdfDict;

/** Only an indirect object can be a stream. `raw` is the content before decoding. */
export type PdfStream = { readonly kind: 'stream'; readonly dict: PdfDict; readonly raw: Buffer };
export type PdfObject = PdfValue | PdfStream;

export const name = (text: string): PdfName => ({ kind: 'name', name: text });
export const ref = (id: number, generation = 0): PdfRef => ({ kind: 'ref', id, generation });

type Any = PdfObject | undefined;

export const isDict = (value: Any): value is PdfDict => value instanceof Map;
export const isArray = (value: Any): value is PdfArray => Array.isArray(value);

type Kinds = { name: PdfName; ref: PdfRef; real: PdfReal; string: PdfString; stream: PdfStream };

export const isKind = <Kind extends keyof Kinds>(value: Any, kind: Kind): value is Kinds[Kind] =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === kind;

export const isRef = (value: Any): value is PdfRef => isKind(value, 'ref');
export const isStream = (value: Any): value is PdfStream => isKind(value, 'stream');
export const isString = (value: Any): value is PdfString => isKind(value, 'string');

/** A name's text. @example nameOf(dict.get('Type')) === 'Page' */
export const nameOf = (value: Any): string | undefined => (isKind(value, 'name') ? value.name : undefined);

/** A count or an offset: a whole number from zero. */
export const countOf = (value: Any): number | undefined =>
  typeof value === 'number' && value >= 0 ? value : undefined;

/** Any number. */
export function numberOf(value: Any): number | undefined {
  if (typeof value === 'number') return value;
  const number = isKind(value, 'real') ? Number.parseFloat(value.text) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

export const sameRef = (one: PdfRef, other: PdfRef): boolean =>
  one.id === other.id && one.generation === other.generation;

/** Prints a value as the file has it, one character a byte. @example print(page) // <</Type/Page...>> */
export function print(value: PdfValue): string {
  if (typeof value !== 'object' || value === null) return String(value);
  if (value instanceof Map) return printDict(value);
  if (isItems(value)) return `[${value.map(print).join(' ')}]`;
  if (!('kind' in value)) return 'null';
  switch (value.kind) {
    case 'name':
      return printName(value.name);
    case 'ref':
      return `${value.id} ${value.generation} R`;
    case 'real':
      return value.text;
    case 'string':
      return value.raw.toString('latin1');
  }
}

const isItems = (value: PdfValue): value is readonly PdfValue[] => Array.isArray(value);

const printDict = (dict: PdfDict): string =>
  `<<${Array.from(dict, ([key, value]) => `${printName(key)} ${print(value)}`).join('\n')}>>`;

export function printName(name: string): string {
  if (/^[\w.+-]*$/.test(name)) return `/${name}`;
  const escaped = Array.from(name, (letter) => {
    const byte = letter.charCodeAt(0);
    return isRegular(byte) && byte > 0x20 && byte < 0x7f && letter !== '#' ? letter : `#${hex(byte)}`;
  });
  return `/${escaped.join('')}`;
}

const hex = (byte: number): string => byte.toString(16).padStart(2, '0');
