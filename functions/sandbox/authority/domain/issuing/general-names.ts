import * as asn1 from 'asn1js';
import { AttributeTypeAndValue, GeneralName, RelativeDistinguishedNames } from 'pkijs';
import { NAME_OID, type NameAttributeType } from '../../../../../shared/pki/name/oids.ts';

/** From the country down: `[['country', 'BR'], ['organization', 'ICP-Brasil'], ['commonName', 'MARIA']]`. */
export type NameParts = readonly (readonly [NameAttributeType, string])[];

type TextClass = typeof asn1.PrintableString | typeof asn1.IA5String | typeof asn1.Utf8String;

// RFC 5280 fixes the string type of these; the rest are UTF8String.
const FIXED_TYPES: Partial<Record<NameAttributeType, TextClass>> = {
  country: asn1.PrintableString,
  serialNumber: asn1.PrintableString,
  dnQualifier: asn1.PrintableString,
  emailAddress: asn1.IA5String,
  domainComponent: asn1.IA5String,
};

/** @example nameOf([['country', 'BR'], ['commonName', 'AC Raiz']]) */
export function nameOf(parts: NameParts): RelativeDistinguishedNames {
  const steps = parts.map(([type, text]) => {
    const value = new (FIXED_TYPES[type] ?? asn1.Utf8String)({ value: text });
    return new asn1.Set({ value: [new AttributeTypeAndValue({ type: NAME_OID[type], value }).toSchema()] });
  });
  // Its own encoder puts all attributes into one step.
  return encodedName(Buffer.from(new asn1.Sequence({ value: steps }).toBER()));
}

/** A name as it stands in a certificate. @example encodedName(issuer.subject.der) */
export const encodedName = (der: Uint8Array): RelativeDistinguishedNames =>
  new RelativeDistinguishedNames({ valueBeforeDecode: new Uint8Array(der).buffer });

/** @example subjectAltNameOf([mailName('maria@example.com')]) */
export const mailName = (address: string): GeneralName => new GeneralName({ type: 1, value: address });
export const hostName = (host: string): GeneralName => new GeneralName({ type: 2, value: host });
export const directoryName = (parts: NameParts): GeneralName =>
  new GeneralName({ type: 4, value: nameOf(parts) });
export const uriName = (uri: string): GeneralName => new GeneralName({ type: 6, value: uri });
/** The bytes of an address, or in a constraint those of an address and its mask. */
export const addressName = (bytes: Uint8Array): GeneralName =>
  new GeneralName({ type: 7, value: new asn1.OctetString({ valueHex: bytes }) });

/** @example otherName('2.16.76.1.3.1', new asn1.OctetString({ valueHex: bytes })) */
export function otherName(type: string, value: asn1.BaseBlock): GeneralName {
  const idBlock = { tagClass: 3, tagNumber: 0 };
  const parts = [
    new asn1.ObjectIdentifier({ value: type }),
    new asn1.Constructed({ idBlock, value: [value] }),
  ];
  // Its own encoder has room for one element, and an otherName has two.
  const toSchema = () => new asn1.Constructed({ idBlock, value: parts });
  return Object.assign(new GeneralName({ type: 0 }), { toSchema });
}
