import type * as z from 'zod';
import { attributeLabel, type Name, nameValue } from '../name/name.ts';
import { NAME_OID } from '../name/oids.ts';
import type { NameModel as Model } from './contract.ts';

const FIELDS = [
  'country',
  'organization',
  'organizationUnit',
  'dnQualifier',
  'stateName',
  'commonName',
  'serialNumber',
  'locality',
  'title',
  'surname',
  'givenName',
  'initials',
  'pseudonym',
  'generationQualifier',
  'emailAddress',
] as const;

/** A name as the services return it. A field has the first value of its type. */
export type NameModel = z.infer<typeof Model>;

/** @example nameModel(certificate.subject).commonName */
export function nameModel(name: Name): NameModel {
  const first = Object.fromEntries(FIELDS.map((field) => [field, nameValue(name, NAME_OID[field]) ?? null]));
  return {
    ...(first as Record<(typeof FIELDS)[number], string | null>),
    allValues: allValuesOf(name),
    dnString: name.text,
  };
}

function allValuesOf(name: Name): Record<string, string[]> {
  const values: Record<string, string[]> = {};
  for (const { oid, value } of name.attributes) {
    const label = attributeLabel(oid);
    const known = values[label];
    if (known) known.push(value);
    else values[label] = [value];
  }
  return values;
}
