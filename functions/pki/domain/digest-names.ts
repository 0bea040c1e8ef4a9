import type { Digest } from '../../../shared/signing/digest.ts';

const DIGEST_NAMES = {
  sha1: 'SHA1',
  sha256: 'SHA256',
  sha384: 'SHA384',
  sha512: 'SHA512',
  'sha3-256': 'SHA3_256',
} as const;

type NamedDigest = keyof typeof DIGEST_NAMES;

/** The name of a digest in the contract, or null. */
export const nameOf = (digest: Digest) =>
  digest in DIGEST_NAMES ? DIGEST_NAMES[digest as NamedDigest] : null;

/** The digest of a name in the contract; undefined for MD5, which is not computed here. */
export const digestNamed = (name: string): NamedDigest | undefined =>
  (Object.keys(DIGEST_NAMES) as NamedDigest[]).find((digest) => DIGEST_NAMES[digest] === name);
