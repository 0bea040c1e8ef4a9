import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { childrenOf, readDer } from '../../der/read.ts';
import { TAG } from '../../der/tags.ts';
import { sequence } from '../../der/write.ts';
import type { AlgorithmIdentifier } from '../certificate/certificate.ts';
import { isCostly } from './key-cost.ts';
import { isForgeable } from './key-strength.ts';
import { type SchemeKind, schemeOf } from './signature-schemes.ts';

/** A structure with an X.509 signature: a certificate, a CRL, an OCSP response. */
export type Signed = {
  readonly tbs: Buffer;
  readonly signatureAlgorithm: AlgorithmIdentifier;
  readonly signature: Buffer;
};

/** 'unsupported': an unknown algorithm or key, or one that takes too long. The signature may be right or wrong. */
export type SignatureOutcome = 'made' | 'not-made' | 'unsupported';

const KEY_TYPES: Readonly<Record<SchemeKind, readonly string[]>> = {
  rsa: ['rsa'],
  'rsa-pss': ['rsa', 'rsa-pss'],
  ecdsa: ['ec'],
  dsa: ['dsa'],
  eddsa: ['ed25519', 'ed448'],
};

/**
 * Verifies a signature. 'not-made' also stands for an algorithm of another key type, and for a key that others than its
 * holder can sign for.
 * @example outcomeOfSignature({ tbs, signatureAlgorithm, signature }, certificate.publicKey) // 'made'
 */
export function outcomeOfSignature(
  { tbs, signatureAlgorithm, signature }: Signed,
  key: KeyObject,
): SignatureOutcome {
  try {
    const scheme = schemeOf(signatureAlgorithm);
    const type = key.asymmetricKeyType;
    if (!scheme || !type || isCostly(key)) return 'unsupported';
    // OpenSSL's cms writes rsaEncryption for a key that is restricted to RSA-PSS (RFC 4055, 1.2): the padding is unclear.
    if (scheme.kind === 'rsa' && type === 'rsa-pss') return 'unsupported';
    if (!KEY_TYPES[scheme.kind].includes(type) || isForgeable(key)) return 'not-made';
    // Algorithm confusion: without this check an Ed448 key passes under Ed25519's identifier.
    if (scheme.kind === 'eddsa' && EDDSA_KEYS[signatureAlgorithm.oid] !== type) return 'not-made';
    const usable = scheme.maskDigest ? keyForMask(key, scheme.maskDigest, signatureAlgorithm) : key;
    if (!usable) return 'not-made';
    // node:crypto takes a key itself faster than an object around it.
    const by = scheme.padding ? { key: usable, ...scheme.padding } : usable;
    const isMade = verify(scheme.digest ?? null, tbs, by, signature);
    return isMade ? 'made' : 'not-made';
  } catch {
    // Parameters or a key that are invalid: OpenSSL throws instead of returning false.
    return 'not-made';
  }
}

const EDDSA_KEYS: Readonly<Record<string, string>> = { '1.3.101.112': 'ed25519', '1.3.101.113': 'ed448' };

/**
 * The key for an RSA-PSS signature whose MGF1 uses another digest than its hash. node:crypto has no option for it, but
 * reads it from the parameters of an id-RSASSA-PSS key, so the signature's parameters are written into one. Undefined
 * if the key is restricted to another MGF1 digest, which a signature cannot lift (RFC 4055, 3.3).
 */
function keyForMask(
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
