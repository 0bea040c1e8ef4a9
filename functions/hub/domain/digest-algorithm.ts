import { type Digest, digestByOid, hashBytes } from '../../../shared/signing/digest.ts';
import { errors } from '../errors.ts';
import { invalidField } from './invalid-field.ts';

type Named = {
  readonly digestAlgorithmOid?: string | undefined;
  readonly digestAlgorithm?: string | undefined;
};

// What providers sign. SHA-3 is only verified, in the signatures of others.
const ACCEPTED: readonly Digest[] = ['sha1', 'sha256', 'sha384', 'sha512'];

/** The algorithm that a request names. The OID counts where both are given. */
export function parseDigestAlgorithm({ digestAlgorithmOid, digestAlgorithm }: Named): Digest {
  if (digestAlgorithmOid) {
    const byOid = digestByOid(digestAlgorithmOid);
    if (!byOid || !ACCEPTED.includes(byOid))
      throw errors.refuse('InvalidDigestAlgorithm', { digestAlgorithmOid });
    return byOid;
  }
  if (!digestAlgorithm) throw errors.refuse('DigestAlgorithmNameOrOidIsRequired');
  const byName = digestByName(digestAlgorithm);
  if (!byName) throw errors.refuse('InvalidDigestAlgorithm', { digestAlgorithm });
  return byName;
}

// SHA-256, SHA256, sha_256, "SHA 256": they differ in what is not said.
const digestByName = (name: string): Digest | undefined => {
  const bare = name.replace(/[-_\s]/g, '').toLowerCase();
  return ACCEPTED.find((digest) => digest === bare);
};

/** The bytes of a hash that can be of this algorithm. */
export function parseHash(text: string, digest: Digest): Buffer {
  const hash = Buffer.from(text, 'base64');
  // Decoding passes over what is no base64: only what comes out the same was one.
  if (hash.toString('base64') !== text) throw invalidField('hash', 'is not base64');
  const expected = hashBytes(digest);
  if (hash.length === expected) return hash;
  throw invalidField(
    'hash',
    `is ${hash.length} bytes long; a ${digest} hash has ${expected}. Send the hash itself in base64`,
  );
}
