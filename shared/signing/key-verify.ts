import { constants, type KeyObject, publicDecrypt } from 'node:crypto';
import { checkHash, type Digest, digestInfo } from './digest.ts';
import { ecdsaOf } from './key-curves.ts';

/**
 * Whether this key signed this hash, when the bytes behind the hash are not at hand.
 * @example if (!(await signedThisHash(key.certificate.publicKey, 'sha256', hash, answer))) throw new SignatureMismatch(...);
 */
export async function signedThisHash(
  key: KeyObject,
  digest: Digest,
  hash: Buffer,
  signature: Buffer,
): Promise<boolean> {
  checkHash(digest, hash);
  return key.asymmetricKeyType === 'ec'
    ? byCurve(key, hash, signature)
    : byRsa(key, digestInfo(digest, hash), signature);
}

function byRsa(key: KeyObject, expected: Buffer, signature: Buffer): boolean {
  try {
    return publicDecrypt({ key, padding: constants.RSA_PKCS1_PADDING }, signature).equals(expected);
  } catch {
    return false; // the padding is wrong, or the signature is larger than the key
  }
}

async function byCurve(key: KeyObject, hash: Buffer, signature: Buffer): Promise<boolean> {
  const ecdsa = await ecdsaOf(key);
  const { x, y } = key.export({ format: 'jwk' });
  const point = Buffer.concat([
    Buffer.from([4]),
    ...[x, y].map((part) => Buffer.from(String(part), 'base64url')),
  ]);
  try {
    return ecdsa.verify(signature, hash, point, { prehash: false, format: 'der', lowS: false });
  } catch {
    return false; // not two numbers in DER
  }
}
