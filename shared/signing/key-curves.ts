import type { KeyObject } from 'node:crypto';
import { SigningRefused } from './errors.ts';

export type Curve = 'prime256v1' | 'secp384r1';

/** The curve's name, if it is one that signs here. */
export function curveOf(key: KeyObject): Curve {
  const name = key.asymmetricKeyDetails?.namedCurve ?? 'unnamed';
  if (name === 'prime256v1' || name === 'secp384r1') return name;
  throw new SigningRefused('key-type', `The curve ${name} does not sign here: use P-256 or P-384.`);
}

/**
 * ECDSA over a hash that is given, for which node:crypto has no call. Loaded at the first EC key: reading it
 * in takes 50 ms, which a function that meets only RSA does not pay. @example const ecdsa = await ecdsaOf(key);
 */
export async function ecdsaOf(key: KeyObject) {
  const curve = curveOf(key);
  const { p256, p384 } = await import('@noble/curves/nist.js');
  return curve === 'prime256v1' ? p256 : p384;
}
