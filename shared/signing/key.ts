import { constants, createPublicKey, type KeyObject, privateEncrypt, sign } from 'node:crypto';
import { promisify } from 'node:util';
import type { Certificate } from '../pki/certificate/certificate.ts';
import { checkHash, type Digest, digestInfo, hashOf } from './digest.ts';
import { SigningRefused } from './errors.ts';

/** A private key in any custody: this process, a workstation, a cloud provider, an HSM. */
export type SigningKey = {
  readonly certificate: Certificate;
  /** The issuer first, then its issuer, and so on. */
  readonly chain: readonly Certificate[];
  /**
   * RSA: PKCS#1 v1.5 over the hash's DigestInfo. EC: an ECDSA signature in DER over the hash. An RSA key in this process signs
   * beside the thread where it is given the data of the hash, too.
   */
  signHash(digest: Digest, hash: Buffer, data?: Buffer): Promise<Buffer>;
};

const MIN_RSA_BITS = 2048; // what ICP-Brasil and everyone else accepts today
const MAX_RSA_BITS = 4096;

/**
 * A key held in this process. A key that is not the certificate's is refused at once, not at the first signature.
 * @example const key = localKey(entry.privateKey, entry.certificate, entry.chain);
 */
export function localKey(
  privateKey: KeyObject,
  certificate: Certificate,
  chain: readonly Certificate[],
): SigningKey {
  if (privateKey.type !== 'private')
    throw new SigningRefused('key-type', 'Only a private key signs; a public or secret one was given.');
  checkKey(privateKey);
  if (!spkiOf(createPublicKey(privateKey)).equals(spkiOf(certificate.publicKey)))
    throw new SigningRefused(
      'key-mismatch',
      `The private key is not the one of the certificate of ${certificate.subject.text}.`,
    );
  const signHash = privateKey.asymmetricKeyType === 'rsa' ? rsaSigner(privateKey) : ecSigner(privateKey);
  return { certificate, chain, signHash };
}

// Keys are compared as bytes: KeyObject.equals of an RSA key and an EC key leaves an error in OpenSSL's queue that makes
// the next key fail to load.
const spkiOf = (key: KeyObject): Buffer => key.export({ type: 'spki', format: 'der' });

/** Refuses a key that must not sign: neither RSA nor EC, or of a size outside the limits. */
export function checkKey(key: KeyObject): void {
  if (key.asymmetricKeyType === 'ec') return void curveOf(key);
  if (key.asymmetricKeyType !== 'rsa')
    throw new SigningRefused(
      'key-type',
      `Keys of type ${key.asymmetricKeyType} do not sign here: use RSA, or EC with P-256 or P-384.`,
    );
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (bits < MIN_RSA_BITS || bits > MAX_RSA_BITS)
    throw new SigningRefused(
      'key-size',
      `An RSA key of ${bits} bits does not sign here: use one of ${MIN_RSA_BITS} to ${MAX_RSA_BITS}.`,
    );
}

type HashSigner = SigningKey['signHash'];

const signData = promisify(sign);

// node:crypto signs data and not a given hash. For RSA, padding a DigestInfo is equivalent (RFC 8017, 9.2), and holds the thread
// for all of that time. Data with another hash is not signed.
const rsaSigner =
  (key: KeyObject): HashSigner =>
  async (digest, hash, data) =>
    data && hashOf(digest, data).equals(hash)
      ? signData(digest, data, key)
      : privateEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, digestInfo(digest, hash));

function ecSigner(key: KeyObject): HashSigner {
  const secret = Buffer.from(String(key.export({ format: 'jwk' }).d), 'base64url');
  return async (digest, hash) => {
    checkHash(digest, hash);
    const ecdsa = await ecdsaOf(key);
    return Buffer.from(ecdsa.sign(hash, secret, { prehash: false, format: 'der', extraEntropy: true }));
  };
}

export type Curve = 'prime256v1' | 'secp384r1';

/** The curve's name. Throws SigningRefused for a curve that is not supported. */
export function curveOf(key: KeyObject): Curve {
  const name = key.asymmetricKeyDetails?.namedCurve ?? 'unnamed';
  if (name === 'prime256v1' || name === 'secp384r1') return name;
  throw new SigningRefused('key-type', `The curve ${name} does not sign here: use P-256 or P-384.`);
}

/**
 * ECDSA over a given hash, which node:crypto does not offer. The library is loaded at the first EC key: loading takes
 * 50 ms, which functions with RSA keys alone do not pay. @example const ecdsa = await ecdsaOf(key);
 */
export async function ecdsaOf(key: KeyObject) {
  const curve = curveOf(key);
  const { p256, p384 } = await import('@noble/curves/nist.js');
  return curve === 'prime256v1' ? p256 : p384;
}
