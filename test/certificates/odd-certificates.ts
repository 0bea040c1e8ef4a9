import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { Extension } from 'jsrsasign';
import {
  type Issuance,
  issueCertificate,
} from '../../functions/sandbox/authority/domain/issuing/certificate.ts';
import type { StringType } from '../../functions/sandbox/authority/domain/issuing/icp-brasil.ts';
import { children, readDer } from '../../shared/der/read.ts';
import { TAG } from '../../shared/der/tags.ts';
import {
  bitString,
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
import { type Certificate, parseCertificate } from '../../shared/pki/certificate/certificate.ts';
import { EXTENSION } from '../../shared/pki/extensions/extensions.ts';
import { NAME_OID, type NameAttributeType } from '../../shared/pki/name/oids.ts';

// Parts that jsrsasign cannot make, or would make right: broken extensions, rare string types, unusual keys. All that
// is honest comes from jsrsasign, through the sandbox's issuing/.

/** Any extension with any bytes in it. @example extension(EXTENSION.keyUsage, integer(1)) */
export const extension = (id: string, value: Uint8Array, critical = false): Extension => ({
  extname: id,
  extn: Buffer.from(value).toString('hex'),
  critical,
});

/** A BIT STRING of named bits: DER drops the zeros at its end. */
export function namedBits(bits: readonly number[]): Buffer {
  if (!bits.length) return bitString(Buffer.alloc(0));
  const last = Math.max(...bits);
  const bytes = Buffer.alloc((last >> 3) + 1);
  for (const bit of bits) bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (0x80 >> (bit & 7));
  return bitString(bytes, 7 - (last & 7));
}

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

const STAND_IN = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey;
const KEY_AT = 6; // of the fields of a version 3 TBSCertificate

const CURVES = ['prime256v1', 'secp384r1', 'secp521r1'];

/** Whether jsrsasign can write the key. */
export const isKnownKey = ({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): boolean =>
  type === 'rsa' || (type === 'ec' && CURVES.includes(details?.namedCurve ?? ''));

/** A certificate for a key that jsrsasign does not know: issued for another one, which then gives way to it. */
export function issueForOddKey({ publicKey, issuer, digest = 'sha256', ...issuance }: Issuance): Certificate {
  const standIn = issueCertificate({ ...issuance, publicKey: STAND_IN, issuer, digest });
  const [tbs, algorithm] = children(readDer(standIn.der));
  if (!tbs || !algorithm) throw new Error('no certificate');
  const spki = publicKey.export({ format: 'der', type: 'spki' });
  const changed = sequence(...children(tbs).map(({ raw }, at) => (at === KEY_AT ? spki : raw)));
  return parseCertificate(
    sequence(changed, algorithm.raw, bitString(sign(digest, changed, issuer.privateKey))),
  );
}
