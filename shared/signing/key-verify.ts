import { constants, type KeyObject, publicDecrypt, verify } from 'node:crypto';
import { isCostly } from '../pki/path/key-cost.ts';
import { checkHash, type Digest, digestInfo } from './digest.ts';
import { SigningRefused } from './errors.ts';
import { checkKey, ecdsaOf } from './key.ts';

/**
 * Whether this key signed these bytes: RSA with PKCS#1 v1.5 padding, or ECDSA in DER. Throws SigningRefused for a key
 * that must not sign, and for one that takes too long to check with.
 * @example if (!signedTheseBytes(certificate.publicKey, 'sha256', nonce, signature)) throw errors.refuse('InvalidSignature');
 */
export function isSignatureOfBytes(
  key: KeyObject,
  digest: Digest,
  bytes: Uint8Array,
  signature: Uint8Array,
): boolean {
  checkKey(key);
  if (isCostly(key))
    throw new SigningRefused('key-size', "The key's exponent is larger than any that signs here.");
  try {
    return verify(
      digest,
      bytes,
      { key, padding: constants.RSA_PKCS1_PADDING, dsaEncoding: 'der' },
      signature,
    );
  } catch {
    return false; // OpenSSL throws where it cannot say no
  }
}

/**
 * Whether this key signed this hash, when the bytes behind the hash are not at hand.
 * @example if (!(await signedThisHash(key.certificate.publicKey, 'sha256', hash, answer))) throw new SignatureMismatch(...);
 */
export async function isSignatureOfHash(
  key: KeyObject,
  digest: Digest,
  hash: Buffer,
  signature: Buffer,
): Promise<boolean> {
  checkHash(digest, hash);
  return key.asymmetricKeyType === 'ec'
    ? verifyEcdsa(key, hash, signature)
    : verifyRsa(key, digestInfo(digest, hash), signature);
}

function verifyRsa(key: KeyObject, expected: Buffer, signature: Buffer): boolean {
  try {
    return publicDecrypt({ key, padding: constants.RSA_PKCS1_PADDING }, signature).equals(expected);
  } catch {
    return false; // the padding is wrong, or the signature is larger than the key
  }
}

async function verifyEcdsa(key: KeyObject, hash: Buffer, signature: Buffer): Promise<boolean> {
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
