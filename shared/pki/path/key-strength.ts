import type { KeyObject } from 'node:crypto';

// RSA of 829 bits was factored in 2020 and logarithms on curves of 117 bits were found in 2016: below these, anybody
// with patience has the private key. Larger ones may still be weak, which is for the caller's policy to say.
const MIN_BITS = 1024;
const SMALL_CURVE = /^secp1(?:12|28)/;

// With the exponent 1 every padded hash is its own signature, and no even one can be used to sign at all.
const MIN_EXPONENT = 3n;

/**
 * Whether others than its holder can sign for this key. A curve without a name is one of the maker's choosing, which
 * certificates may not have (RFC 5480, 2.1.1). @example if (isForgeable(certificate.publicKey)) return false;
 */
export function isForgeable(key: KeyObject): boolean {
  const { modulusLength, publicExponent, namedCurve } = key.asymmetricKeyDetails ?? {};
  if (key.asymmetricKeyType === 'ec') return namedCurve === undefined || SMALL_CURVE.test(namedCurve);
  const isSmall = modulusLength !== undefined && modulusLength < MIN_BITS;
  const isOpen =
    publicExponent !== undefined && (publicExponent < MIN_EXPONENT || publicExponent % 2n === 0n);
  return isSmall || isOpen;
}
