import { TAG } from '../../../../../shared/der/tags.ts';
import { ia5String, octetString, printableString, tlv, utf8String } from '../../../../../shared/der/write.ts';

/** The types that real authorities have written names and otherNames in. */
export type StringType = 'octets' | 'printable' | 'utf8' | 'ia5' | 'teletex' | 'bmp';

const WRITERS: Readonly<Record<StringType, (text: string) => Buffer>> = {
  octets: (text) => octetString(Buffer.from(text, 'utf8')),
  printable: printableString,
  utf8: utf8String,
  ia5: ia5String,
  teletex: (text) => tlv(TAG.TELETEX_STRING, Buffer.from(text, 'latin1')),
  bmp: (text) => tlv(TAG.BMP_STRING, Buffer.from(text, 'utf16le').swap16()),
};

/** @example inStringType('MARIA', 'bmp') */
export const inStringType = (text: string, type: StringType): Buffer => WRITERS[type](text);
