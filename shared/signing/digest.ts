import { createHash, type Hash, hash } from 'node:crypto';
import { NULL, octetString, oid, sequence } from '../der/write.ts';
import { SigningRefused } from './errors.ts';

/** The digests of new signatures. */
export type SigningDigest = 'sha256' | 'sha384' | 'sha512';

/** SHA-1, SHA-224 and SHA-3 are verified in existing signatures and never used for new ones. */
export type Digest = SigningDigest | 'sha1' | 'sha224' | 'sha3-256' | 'sha3-384' | 'sha3-512';

const FACTS: Readonly<Record<Digest, { readonly oid: string; readonly bytes: number }>> = {
  sha1: { oid: '1.3.14.3.2.26', bytes: 20 },
  sha224: { oid: '2.16.840.1.101.3.4.2.4', bytes: 28 },
  sha256: { oid: '2.16.840.1.101.3.4.2.1', bytes: 32 },
  sha384: { oid: '2.16.840.1.101.3.4.2.2', bytes: 48 },
  sha512: { oid: '2.16.840.1.101.3.4.2.3', bytes: 64 },
  'sha3-256': { oid: '2.16.840.1.101.3.4.2.8', bytes: 32 },
  'sha3-384': { oid: '2.16.840.1.101.3.4.2.9', bytes: 48 },
  'sha3-512': { oid: '2.16.840.1.101.3.4.2.10', bytes: 64 },
};

export const DIGESTS = Object.keys(FACTS) as readonly Digest[];

const BY_OID = new Map(Object.entries(FACTS).map(([digest, { oid }]) => [oid, digest as Digest]));

export const digestOid = (digest: Digest): string => FACTS[digest].oid;

/** Undefined for an unknown algorithm. @example digestByOid('2.16.840.1.101.3.4.2.1') // 'sha256' */
export const digestByOid = (oid: string): Digest | undefined => BY_OID.get(oid);

export const hashBytes = (digest: Digest): number => FACTS[digest].bytes;

/** An open hash, for content in pieces. */
export const openHash = (digest: Digest): Hash => createHash(digest);

/** @example hashOf('sha256', certificate.der) */
export const hashOf = (digest: Digest, bytes: Uint8Array): Buffer => hash(digest, bytes, 'buffer');

/** An AlgorithmIdentifier without parameters, as RFC 5754, 2 requires in CMS. */
export const digestAlgorithm = (digest: Digest): Buffer => sequence(oid(digestOid(digest)));

/** An AlgorithmIdentifier with NULL parameters, as PKCS#1 requires and timestamp authorities expect. */
export const digestAlgorithmWithNull = (digest: Digest): Buffer => sequence(oid(digestOid(digest)), NULL);

/** Refuses a hash whose length is not this algorithm's. @example checkHash('sha256', Buffer.from(body.hash, 'base64')) */
export function checkHash(digest: Digest, hash: Uint8Array): void {
  const expected = hashBytes(digest);
  if (hash.length !== expected)
    throw new SigningRefused(
      'hash-length',
      `A ${digest} hash has ${expected} bytes; this one has ${hash.length}. Send the hash itself, not hexadecimal or Base64 text of it.`,
    );
}

/** The DigestInfo of RFC 8017, 9.2, which RSA with PKCS#1 v1.5 padding signs. @example digestInfo('sha256', hash) */
export function digestInfo(digest: Digest, hash: Uint8Array): Buffer {
  checkHash(digest, hash);
  return sequence(digestAlgorithmWithNull(digest), octetString(hash));
}
