import { NAME_OID } from './oids.ts';

type Attribute = { readonly oid: string; readonly value: string; readonly der: Buffer };

/** The short names of RFC 4514, and for the rest those that people and LDAP know. */
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

/** RFC 4514: the last step first, steps joined by commas. @example nameText(name.rdns) */
export const formatName = (rdns: readonly (readonly Attribute[])[]): string =>
  rdns
    .toReversed()
    .map((rdn) => rdn.map(formatAttribute).join('+'))
    .join(',');

/** @example attributeLabel('2.5.4.3') // 'CN' */
export const attributeLabel = (oid: string): string => LABELS[oid] ?? oid;

function formatAttribute({ oid, value, der }: Attribute): string {
  const label = LABELS[oid];
  // A type with no short name is told by its bytes, so that nothing is lost.
  return label ? `${label}=${escapeValue(value)}` : `${oid}=#${der.toString('hex')}`;
}

const escapeValue = (value: string): string =>
  value.replace(/["+,;<>\\]|^[ #]| $/g, '\\$&').replaceAll('\0', '\\00');
