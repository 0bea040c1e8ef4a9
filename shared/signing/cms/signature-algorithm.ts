import type { AlgorithmIdentifier } from '../../pki/certificate/certificate.ts';
import { schemeOf } from '../../pki/path/signature-schemes.ts';
import type { Digest } from '../digest.ts';
import { orUndefined } from './ber-or-der.ts';
import { ECDSA_WITH, RSA_WITH, SIGNATURE } from './oids.ts';

const ACCEPTED = new Set(['rsa', 'rsa-pss', 'ecdsa', 'eddsa']);

/**
 * The algorithm with its digest in it, as X.509 names it: CMS may name only the key's kind and leave the digest
 * to the SignerInfo. Undefined for one that is not accepted, or that is made for another digest. EdDSA brings its own
 * digest, and takes the attributes with that of the SignerInfo in them as they stand (RFC 8419).
 */
export function resolveAlgorithm(
  algorithm: AlgorithmIdentifier,
  digest: Digest,
): AlgorithmIdentifier | undefined {
  const named = { ...algorithm, oid: withDigest(algorithm.oid, digest) };
  const scheme = orUndefined(() => schemeOf(named));
  return scheme && ACCEPTED.has(scheme.kind) && (scheme.kind === 'eddsa' || scheme.digest === digest)
    ? named
    : undefined;
}

function withDigest(oid: string, digest: Digest): string {
  if (oid === SIGNATURE.rsa) return RSA_WITH[digest];
  if (oid === SIGNATURE.ecPublicKey) return ECDSA_WITH[digest];
  return oid;
}
