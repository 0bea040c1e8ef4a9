import type { Extension } from 'pkijs';
import {
  namedBits as encodeNamedBits,
  extensionOf,
} from '../../functions/sandbox/authority/domain/issuing/extensions.ts';
import type { StringType } from '../../functions/sandbox/authority/domain/issuing/icp-brasil.ts';
import { TAG } from '../../shared/der/tags.ts';
import {
  explicit,
  ia5String,
  octetString,
  oid,
  printableString,
  sequence,
  setOf,
  tlv,
  utf8String,
} from '../../shared/der/write.ts';
import { EXTENSION } from '../../shared/pki/extensions/extensions.ts';
import { NAME_OID, type NameAttributeType } from '../../shared/pki/name/oids.ts';

// Parts that PKI.js would make right: broken extensions, rare string types. All that is honest comes from PKI.js,
// through the sandbox's issuing/.

/** Any extension with any bytes in it. @example extension(EXTENSION.keyUsage, integer(1)) */
export const extension = (id: string, value: Uint8Array, critical = false): Extension =>
  extensionOf(id, value, critical);

/** As bytes. @example namedBits([0, 8]) */
export const namedBits = (bits: readonly number[]): Buffer => Buffer.from(encodeNamedBits(bits).toBER());

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

/** A name whose attributes are in any string type. @example oddName([['commonName', 'MARIA', 'bmp']]) */
export const oddName = (parts: readonly (readonly [NameAttributeType, string, StringType])[]): Buffer =>
  sequence(
    ...parts.map(([type, value, as]) => setOf(sequence(oid(NAME_OID[type]), inStringType(value, as)))),
  );

/** @example oddAltNames([otherName('2.16.76.1.3.1', tlv(TAG.NUMERIC_STRING, bytes))]) */
export const oddAltNames = (names: readonly Buffer[]): Extension =>
  extension(EXTENSION.subjectAltName, sequence(...names));

export const otherName = (type: string, value: Uint8Array): Buffer =>
  explicit(0, oid(type), explicit(0, value));
