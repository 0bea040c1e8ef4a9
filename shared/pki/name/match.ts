import { isText } from '../../der/text-and-time.ts';
import { normalizeText } from '../../text/normalize.ts';
import type { Name, NameAttribute } from './name.ts';

/**
 * Compares two names as RFC 5280 (7.1) does: case, string type and runs of spaces do not count. @example sameName(certificate.issuer, authority.subject)
 */
export function sameName(a: Name, b: Name): boolean {
  if (a.der.equals(b.der)) return true;
  return a.rdns.length === b.rdns.length && a.rdns.every((rdn, i) => sameRdn(rdn, b.rdns[i]));
}

/** Whether `name` is in the subtree of `base`, for directoryName constraints (RFC 5280, 4.2.1.10). */
export const nameIsUnder = (name: Name, base: Name): boolean =>
  base.rdns.length <= name.rdns.length && base.rdns.every((rdn, i) => sameRdn(rdn, name.rdns[i]));

function sameRdn(a: readonly NameAttribute[], b: readonly NameAttribute[] | undefined): boolean {
  if (!b || a.length !== b.length) return false;
  const left = [...b];
  return a.every((attribute) => {
    const at = left.findIndex((other) => sameAttribute(attribute, other));
    return at >= 0 && left.splice(at, 1).length === 1;
  });
}

function sameAttribute(a: NameAttribute, b: NameAttribute): boolean {
  if (a.oid !== b.oid) return false;
  if (a.der.equals(b.der)) return true;
  const bothText = isTextTag(a.tag) && isTextTag(b.tag);
  return bothText && foldCase(a.value) === foldCase(b.value);
}

const isTextTag = (tag: number): boolean => isText({ tag, content: Buffer.alloc(0), raw: Buffer.alloc(0) });

const foldCase = (value: string): string =>
  normalizeText(value, 'NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
