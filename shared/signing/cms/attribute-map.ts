import { DerError, type Element, readOid } from '../../der/read.ts';
import { TAG } from '../../der/tags.ts';
import { partsOf } from './ber-or-der.ts';

export type Attributes = ReadonlyMap<string, readonly Element[]>;

/** Attributes by type. A type that stands twice is refused: two readers would see two signatures. */
export function readAttributes(elements: readonly Element[]): Attributes {
  const found = new Map<string, readonly Element[]>();
  for (const attribute of elements) {
    const [type, values, ...more] = partsOf(attribute, TAG.SEQUENCE);
    const oid = readOid(type);
    if (more.length || found.has(oid)) throw new DerError(`The attribute ${oid} stands twice.`);
    found.set(oid, partsOf(values, TAG.SET));
  }
  return found;
}

/** The value of an attribute that has exactly one, else undefined. */
export function onlyValue(attributes: Attributes, oid: string): Element | undefined {
  const [value, ...more] = attributes.get(oid) ?? [];
  return more.length ? undefined : value;
}

/** The bytes of an attribute that is one OCTET STRING, else undefined. @example onlyOctets(signed, ATTRIBUTE.messageDigest) */
export function onlyOctets(attributes: Attributes, oid: string): Buffer | undefined {
  const value = onlyValue(attributes, oid);
  return value?.tag === TAG.OCTET_STRING ? value.content : undefined;
}
