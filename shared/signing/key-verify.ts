import { constants, type KeyObject, publicDecrypt, verify } from 'node:crypto';
import { isCostly } from '../pki/path/key-cost.ts';
import { checkHash, type Digest, digestInfo } from './digest.ts';
import { SigningRefused } from './errors.ts';
import { checkKey, ecdsaOf } from './key.ts';

/**
 * Whether this key signed these bytes: RSA with PKCS#1 v1.5 padding, or ECDSA in DER. Throws SigningRefused for a key
 * that must not sign, and for a costly one (denial of service by a huge exponent).
 * @example if (!isSignatureOfBytes(certificate.publicKey, 'sha256', nonce, signature)) throw errors.refuse('InvalidSignature');
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
    return false; // OpenSSL throws for some malformed signatures
  }
}

/**
 * Whether this key signed this hash, when the hashed bytes are not available.
 * @example if (!(await isSignatureOfHash(key.certificate.publicKey, 'sha256', hash, answer))) throw new SignatureMismatch(...);
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

// Bleichenbacher (2006): the whole DigestInfo is compared and never parsed, so trailing bytes do not pass.
function verifyRsa(key: KeyObject, expected: Buffer, signature: Buffer): boolean {
  try {
    return publicDecrypt({ key, padding: constants.RSA_PKCS1_PADDING }, signature).equals(expected);
  } catch {
    return false; // wrong padding, or a signature larger than the key
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
