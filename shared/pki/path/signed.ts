import { type KeyObject, verify } from 'node:crypto';
import type { AlgorithmIdentifier } from '../certificate.ts';
import { isCostly } from './key-cost.ts';
import { isForgeable } from './key-strength.ts';
import { type SchemeKind, schemeOf } from './signature-schemes.ts';

/** Anything signed the way X.509 does: a certificate, a CRL, an OCSP response. */
export type Signed = {
  readonly tbs: Buffer;
  readonly signatureAlgorithm: AlgorithmIdentifier;
  readonly signature: Buffer;
};

const KEY_TYPES: Readonly<Record<SchemeKind, readonly string[]>> = {
  rsa: ['rsa'],
  'rsa-pss': ['rsa', 'rsa-pss'],
  ecdsa: ['ec'],
  dsa: ['dsa'],
  eddsa: ['ed25519', 'ed448'],
};

/**
 * Whether this key made the signature. An algorithm that is unknown, or made for another kind of key, is a no; so is
 * a key that takes too long to check with, or that others than its holder can sign for.
 * @example isSignedBy(certificate, issuer.publicKey)
 */
export function isSignedBy({ tbs, signatureAlgorithm, signature }: Signed, key: KeyObject): boolean {
  try {
    const scheme = schemeOf(signatureAlgorithm);
    const type = key.asymmetricKeyType;
    if (!scheme || !type || !KEY_TYPES[scheme.kind].includes(type)) return false;
    if (isCostly(key) || isForgeable(key)) return false;
    // Without this check an Ed448 key would pass under Ed25519's identifier.
    if (scheme.kind === 'eddsa' && EDDSA_KEYS[signatureAlgorithm.oid] !== type) return false;
    return verify(scheme.digest ?? null, tbs, { key, ...scheme.padding }, signature);
  } catch {
    // Parameters or a key that make no sense: OpenSSL throws where it cannot say no.
    return false;
  }
}

const EDDSA_KEYS: Readonly<Record<string, string>> = { '1.3.101.112': 'ed25519', '1.3.101.113': 'ed448' };
