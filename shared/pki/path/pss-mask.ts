import { createPublicKey, type KeyObject } from 'node:crypto';
import { childrenOf, readDer } from '../../der/read.ts';
import { TAG } from '../../der/tags.ts';
import { sequence } from '../../der/write.ts';
import type { AlgorithmIdentifier } from '../certificate/certificate.ts';

/**
 * The key that checks an RSA-PSS signature whose mask uses another digest than its hash. node:crypto has no option for
 * it, but takes it from the parameters of an id-RSASSA-PSS key: the signature's are written into one. Undefined where
 * the key is restricted to another mask, which a signature may not lift (RFC 4055, 3.3).
 */
export function keyForMask(
  key: KeyObject,
  maskDigest: string,
  algorithm: AlgorithmIdentifier,
): KeyObject | undefined {
  const restrictedTo = key.asymmetricKeyDetails?.mgf1HashAlgorithm;
  if (restrictedTo !== undefined) return restrictedTo === maskDigest ? key : undefined;
  const [, bits] = childrenOf(readDer(key.export({ format: 'der', type: 'spki' })), TAG.SEQUENCE);
  if (!bits) return undefined;
  return createPublicKey({ key: sequence(algorithm.der, bits.raw), format: 'der', type: 'spki' });
}
