import { oid, sequence, setOf } from '../../../../../shared/der/write.ts';
import { NAME_OID, type NameAttributeType } from '../../../../../shared/pki/name/oids.ts';
import { inStringType, type StringType } from './text.ts';

/** From the country down: `[['country', 'BR'], ['organization', 'ICP-Brasil'], ['commonName', 'MARIA']]`. */
export type NameParts = readonly (readonly [NameAttributeType, string, StringType?])[];

// RFC 5280 fixes the type of these; the rest are UTF8String unless told otherwise.
const FIXED_TYPES: Partial<Record<NameAttributeType, StringType>> = {
  country: 'printable',
  serialNumber: 'printable',
  dnQualifier: 'printable',
  emailAddress: 'ia5',
  domainComponent: 'ia5',
};

/** The Name element. @example distinguishedName([['country', 'BR'], ['commonName', 'AC Raiz']]) */
export const distinguishedName = (parts: NameParts): Buffer =>
  sequence(
    ...parts.map(([type, value, as = FIXED_TYPES[type] ?? 'utf8']) =>
      setOf(sequence(oid(NAME_OID[type]), inStringType(value, as))),
    ),
  );
