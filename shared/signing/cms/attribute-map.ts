import { children, childrenOf, DerError, type Element, readOid } from '../../der/read.ts';
import { TAG } from '../../der/tags.ts';

export type Attributes = ReadonlyMap<string, readonly Element[]>;

// Denial of service: each value takes about 300 bytes of memory for every signer. A signature has about ten.
const MAX_HELD = 100;

/**
 * The values of attributes by type. A type may occur again where its standard allows it (countersignatures: RFC 5652,
 * 11.4). Its values are then joined, and `onlyValue` gives none of them.
 */
export function readAttributes(set: Element | undefined): Attributes {
  const found = new Map<string, readonly Element[]>();
  let left = MAX_HELD;
  for (const attribute of set ? children(set, left) : []) {
    const [type, values, ...more] = childrenOf(attribute, TAG.SEQUENCE);
    const oid = readOid(type);
    if (more.length) throw new DerError(`The attribute ${oid} has more than its values.`);
    const held = childrenOf(values, TAG.SET, left);
    found.set(oid, [...(found.get(oid) ?? []), ...held]);
    left -= held.length;
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
