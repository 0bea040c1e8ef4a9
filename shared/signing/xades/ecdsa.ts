import type { KeyObject } from 'node:crypto';
import { childrenOf, readDer, readInteger } from '../../der/read.ts';
import { TAG } from '../../der/tags.ts';

// The curves that sign here.
const NUMBER_BYTES: Readonly<Record<string, number>> = { prime256v1: 32, secp384r1: 48 };

const numberBytes = (key: KeyObject): number => NUMBER_BYTES[key.asymmetricKeyDetails?.namedCurve ?? ''] ?? 0;

/**
 * An ECDSA signature as XML Signature writes it: the two numbers side by side, each as long as the curve's order.
 * Everyone else writes them in DER. Give it one that was verified.
 */
export function derToPair(key: KeyObject, der: Buffer): Buffer {
  const digits = numberBytes(key) * 2;
  const numbers = childrenOf(readDer(der), TAG.SEQUENCE).map((number) => readInteger(number));
  return Buffer.from(numbers.map((number) => number.toString(16).padStart(digits, '0')).join(''), 'hex');
}
