import type { KeyObject } from 'node:crypto';

// RSA of 829 bits was factored in 2020, and a discrete logarithm on a curve of 117 bits was computed in 2016. Below
// these limits anybody can compute the private key. The caller's policy decides about larger weak keys.
const MIN_BITS = 1024;
const MIN_CURVE_BITS = 160;

// With the exponent 1 every padded hash is its own signature. An even exponent cannot sign.
const MIN_EXPONENT = 3n;

/**
 * Whether others than its holder can sign for this key. CVE-2020-0601 (explicit curve parameters): a curve without a
 * name is refused, as RFC 5480 (2.1.1) requires. @example if (isForgeable(certificate.publicKey)) return false;
 */
export function isForgeable(key: KeyObject): boolean {
  const { modulusLength, publicExponent, namedCurve } = key.asymmetricKeyDetails ?? {};
  if (key.asymmetricKeyType === 'ec')
    return namedCurve === undefined || curveBits(namedCurve) < MIN_CURVE_BITS;
  const isSmall = modulusLength !== undefined && modulusLength < MIN_BITS;
  const isOpen =
    publicExponent !== undefined && (publicExponent < MIN_EXPONENT || publicExponent % 2n === 0n);
  return isSmall || isOpen;
}

/** The size of a curve, by its name in node:crypto; 0 where that tells none, as of the curves of WTLS and Oakley. */
export const curveBits = (name: string): number =>
  name === 'SM2' ? 256 : Number(/\d{3}/.exec(name)?.[0] ?? 0);
