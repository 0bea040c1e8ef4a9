import type { KeyObject } from 'node:crypto';

// The largest in use have 4096 bits and the exponent 65537. One of 3072 bits and an exponent of its own length takes
// 250 times as long to check (31 ms against 0.12), and anybody can put one into a certificate.
const MAX_RSA_BITS = 8192;
const MAX_EXPONENT = 2n ** 32n;
const MAX_DSA_BITS = 4096;

// Curves over binary fields, which no authority issues for: 14 ms a check. All others take 5 ms at most.
const BINARY_CURVE = /^(?:sect|c2|wap-wsg|Oakley)/;

/**
 * Whether checking one signature with this key takes so long that a file of many would keep a server busy. Such a key
 * has signed nothing. @example if (isCostly(certificate.publicKey)) return false;
 */
export function isCostly(key: KeyObject): boolean {
  const { modulusLength = 0, publicExponent = 0n, namedCurve = '' } = key.asymmetricKeyDetails ?? {};
  const mostBits = key.asymmetricKeyType === 'dsa' ? MAX_DSA_BITS : MAX_RSA_BITS;
  return modulusLength > mostBits || publicExponent > MAX_EXPONENT || BINARY_CURVE.test(namedCurve);
}

// Measured: 0.2 ms, 1.8 ms, and 4.6 for the slowest of the others; RSA 0.12 ms with 2048 bits and 1.2 with 8192.
const CURVE_UNITS: Readonly<Record<string, number>> = { prime256v1: 300_000, secp384r1: 2_000_000 };
const OTHER_CURVE_UNITS = 5_000_000;
const rsaUnits = (bits: number): number => 100_000 + Math.round(bits ** 2 / 50);

/** What checking one signature with this key takes, in nanoseconds or so. A costly key is not checked with. */
export function checkUnits(key: KeyObject): number {
  if (isCostly(key)) return 0;
  const { modulusLength, namedCurve } = key.asymmetricKeyDetails ?? {};
  if (modulusLength !== undefined) return rsaUnits(modulusLength);
  return CURVE_UNITS[namedCurve ?? ''] ?? OTHER_CURVE_UNITS;
}
