import { childrenOf, DerError, type Element, readOid, TooManyElements } from '../../der/read.ts';
import { TAG } from '../../der/tags.ts';
import { isText, readText } from '../../der/text-and-time.ts';
import { NAME_OID } from './oids.ts';

export type NameAttribute = {
  readonly oid: string;
  readonly value: string;
  /** The value's element, encoded with its string type. */
  readonly der: Buffer;
  readonly tag: number;
};

export type Name = {
  readonly der: Buffer;
  /** In the encoded order, country first; almost always one attribute each. */
  readonly rdns: readonly (readonly NameAttribute[])[];
  readonly attributes: readonly NameAttribute[];
  /** RFC 4514: most specific first, `CN=MARIA:52998224725,OU=e-CPF A1,O=ICP-Brasil,C=BR`. */
  readonly text: string;
};

// Names of ICP-Brasil have about ten. An attribute takes about 250 bytes of memory.
const MAX_ATTRIBUTES = 40;

// The longest value of X.520. Denial of service: the normalized form of a name takes many times its bytes.
const MAX_NAME_BYTES = 32_768;

/** @example const subject = readName(node); subject.text */
export function readName(element: Element | undefined): Name {
  if (element && element.raw.length > MAX_NAME_BYTES)
    throw new DerError(`A name has ${element.raw.length} bytes, more than the ${MAX_NAME_BYTES} allowed.`);
  const rdns = childrenOf(element, TAG.SEQUENCE, MAX_ATTRIBUTES).map(readRdn);
  const attributes = rdns.flat();
  if (attributes.length > MAX_ATTRIBUTES) throw new TooManyElements(MAX_ATTRIBUTES);
  return {
    der: element?.raw ?? Buffer.alloc(0),
    rdns,
    attributes,
    get text() {
      return formatName(rdns);
    },
  };
}

/** A RelativeDistinguishedName: a SET of attributes. */
function readRdn(element: Element): readonly NameAttribute[] {
  return readAttributes(element, TAG.SET);
}

/** Reads attributes under another tag: nameRelativeToCRLIssuer is `[1] IMPLICIT`. */
export function readAttributes(element: Element, tag: number): readonly NameAttribute[] {
  const attributes = childrenOf(element, tag, MAX_ATTRIBUTES).map(readAttribute);
  if (!attributes.length) throw new DerError('A relative distinguished name is empty.');
  return attributes;
}

function readAttribute(element: Element): NameAttribute {
  const [oid, value, ...more] = childrenOf(element, TAG.SEQUENCE);
  if (!value || more.length) throw new DerError('An attribute of a name is not a type and a value.');
  return { oid: readOid(oid), value: readLeniently(value), der: value.raw, tag: value.tag };
}

/** The text of an element of any string type. Some issuers wrote Latin-1 into types that do not allow it. */
export function readLeniently(element: Element): string {
  if (element.tag === TAG.OCTET_STRING) return readLeniently({ ...element, tag: TAG.UTF8_STRING });
  if (!isText(element)) return `#${element.raw.toString('hex')}`;
  try {
    return readText(element);
  } catch {
    return element.content.toString('latin1');
  }
}

/** The first value of this type. @example nameValue(certificate.subject, NAME_OID.commonName) */
export const nameValue = (name: Name, oid: string): string | undefined =>
  name.attributes.find((attribute) => attribute.oid === oid)?.value;

/** The short names of RFC 4514, and the usual LDAP names for the rest. */
const LABELS: Readonly<Record<string, string>> = {
  [NAME_OID.commonName]: 'CN',
  [NAME_OID.locality]: 'L',
  [NAME_OID.stateName]: 'ST',
  [NAME_OID.organization]: 'O',
  [NAME_OID.organizationUnit]: 'OU',
  [NAME_OID.country]: 'C',
  [NAME_OID.street]: 'STREET',
  [NAME_OID.domainComponent]: 'DC',
  [NAME_OID.userId]: 'UID',
  [NAME_OID.surname]: 'SN',
  [NAME_OID.serialNumber]: 'serialNumber',
  [NAME_OID.title]: 'title',
  [NAME_OID.description]: 'description',
  [NAME_OID.businessCategory]: 'businessCategory',
  [NAME_OID.postalCode]: 'postalCode',
  [NAME_OID.givenName]: 'givenName',
  [NAME_OID.initials]: 'initials',
  [NAME_OID.generationQualifier]: 'generationQualifier',
  [NAME_OID.dnQualifier]: 'dnQualifier',
  [NAME_OID.pseudonym]: 'pseudonym',
  [NAME_OID.organizationIdentifier]: 'organizationIdentifier',
  [NAME_OID.emailAddress]: 'emailAddress',
};

/** Formats a name by RFC 4514: the last RDN first, joined by commas. @example nameText(name.rdns) */
const formatName = (rdns: readonly (readonly NameAttribute[])[]): string =>
  rdns
    .toReversed()
    .map((rdn) => rdn.map(formatAttribute).join('+'))
    .join(',');

/** @example attributeLabel('2.5.4.3') // 'CN' */
export const attributeLabel = (oid: string): string => LABELS[oid] ?? oid;

function formatAttribute({ oid, value, der }: NameAttribute): string {
  const label = LABELS[oid];
  // RFC 4514, 2.4: a type without a short name is written with the hexadecimal form of its value.
  return label ? `${label}=${escapeValue(value)}` : `${oid}=#${der.toString('hex')}`;
}

const escapeValue = (value: string): string =>
  value.replace(/["+,;<>\\]|^[ #]| $/g, '\\$&').replaceAll('\0', '\\00');
