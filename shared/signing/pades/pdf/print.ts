import { isRegular } from './characters.ts';
import type { PdfDict, PdfValue } from './values.ts';

/** A value as it is written in the file, one character a byte. @example print(page) // <</Type/Page...>> */
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
