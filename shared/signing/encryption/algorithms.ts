import { constants, type KeyObject, privateDecrypt, publicEncrypt } from 'node:crypto';
import { childrenOf, type Element } from '../../der/read.ts';
import { context, TAG } from '../../der/tags.ts';
import { explicit, oid, sequence } from '../../der/write.ts';
import { type AlgorithmIdentifier, readAlgorithm } from '../../pki/certificate/certificate.ts';
import { type Digest, digestAlgorithmWithNull, digestByOid } from '../digest.ts';

/** The supported content ciphers. New envelopes use AES-256 in CBC mode. */
export const CIPHERS = {
  'aes-128-cbc': { oid: '2.16.840.1.101.3.4.1.2', keyBytes: 16, mode: 'CBC' },
  'aes-192-cbc': { oid: '2.16.840.1.101.3.4.1.22', keyBytes: 24, mode: 'CBC' },
  'aes-256-cbc': { oid: '2.16.840.1.101.3.4.1.42', keyBytes: 32, mode: 'CBC' },
  'aes-128-gcm': { oid: '2.16.840.1.101.3.4.1.6', keyBytes: 16, mode: 'GCM' },
  'aes-192-gcm': { oid: '2.16.840.1.101.3.4.1.26', keyBytes: 24, mode: 'GCM' },
  'aes-256-gcm': { oid: '2.16.840.1.101.3.4.1.46', keyBytes: 32, mode: 'GCM' },
} as const;

export type Cipher = keyof typeof CIPHERS;
export type CipherMode = (typeof CIPHERS)[Cipher]['mode'];
/** A cipher of GCM mode. */
export type GcmCipher = Extract<Cipher, `${string}gcm`>;

/** Undefined for an unknown cipher, and for one of the other mode. */
export const cipherByOid = (oid: string, mode: CipherMode): Cipher | undefined =>
  (Object.keys(CIPHERS) as Cipher[]).find(
    (cipher) => CIPHERS[cipher].oid === oid && CIPHERS[cipher].mode === mode,
  );

const RSA = '1.2.840.113549.1.1.1';
const RSA_OAEP = '1.2.840.113549.1.1.7';
const MGF1 = '1.2.840.113549.1.1.8';

const sha256 = digestAlgorithmWithNull('sha256');

/** RSA-OAEP with SHA-256 as hash and in MGF1 (RFC 4055, 4.1). */
export const OAEP_ALGORITHM = sequence(
  oid(RSA_OAEP),
  sequence(explicit(0, sha256), explicit(1, sequence(oid(MGF1), sha256))),
);

export const wrapKey = (publicKey: KeyObject, contentKey: Buffer): Buffer =>
  publicEncrypt(
    { key: publicKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
    contentKey,
  );

/** The padding that wrapped the content key. */
export type Wrapping = { readonly padding: number; readonly oaepHash?: Digest };

export function wrappingOf({ oid: id, parameters }: AlgorithmIdentifier): Wrapping | undefined {
  if (id === RSA) return { padding: constants.RSA_PKCS1_PADDING };
  if (id !== RSA_OAEP) return undefined;
  const fields = parameters ? childrenOf(parameters, TAG.SEQUENCE) : [];
  const field = (n: number): AlgorithmIdentifier | undefined => {
    const found = fields.find(({ tag }) => tag === context(n));
    return found && readAlgorithm(childrenOf(found, context(n))[0]);
  };
  const oaepHash = digestByOidOrDefault(field(0)?.oid);
  const mask = field(1)?.parameters;
  const hasLabel = fields.some(({ tag }) => tag === context(2));
  if (!oaepHash || maskDigest(mask) !== oaepHash || hasLabel) return undefined;
  return { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash };
}

// RFC 4055, 4.1: the default is SHA-1.
const digestByOidOrDefault = (id: string | undefined): Digest | undefined =>
  id === undefined ? 'sha1' : digestByOid(id);
const maskDigest = (mask: Element | undefined): Digest | undefined =>
  digestByOidOrDefault(mask && readAlgorithm(mask).oid);

/**
 * Undefined if the key does not unwrap it. Bleichenbacher (1998): with PKCS#1 v1.5 OpenSSL gives random bytes for wrong
 * padding (implicit rejection), so the caller learns nothing.
 */
export function unwrapKey(privateKey: KeyObject, wrapping: Wrapping, wrapped: Buffer): Buffer | undefined {
  try {
    return privateDecrypt({ key: privateKey, ...wrapping }, wrapped);
  } catch {
    return undefined;
  }
}
