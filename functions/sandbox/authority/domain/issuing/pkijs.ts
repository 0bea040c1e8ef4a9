import { createHash, type KeyObject, sign } from 'node:crypto';
import * as asn1 from 'asn1js';
import {
  AlgorithmIdentifier,
  type Certificate,
  type CertificateRevocationList,
  getOIDByAlgorithm,
  PublicKeyInfo,
  Time,
} from 'pkijs';
import type { Digest } from '../../../../../shared/signing/digest.ts';

// PKI.js encodes all that the sandbox's authority issues: a second implementation, which knows nothing of our own DER,
// CMS and X.509 code, so that a mistake of ours is not made twice and found right. It is for the sandbox and for tests
// alone. It does not sign: node:crypto does, at once and with any key.

/** Anything of PKI.js that is encoded on demand. */
export type Encodable = { toSchema(encodeFlag?: boolean): { toBER(): ArrayBuffer } };

/** @example bytesOf(new TSTInfo({ version: 1, policy, messageImprint, serialNumber, genTime })) */
export const bytesOf = (element: Encodable): Buffer => Buffer.from(element.toSchema(true).toBER());

/** An element of X.680 for a field of PKI.js. */
export const octets = (bytes: Uint8Array): asn1.OctetString => new asn1.OctetString({ valueHex: bytes });

/** Bytes are the content of the INTEGER. @example integer(Buffer.from('00ff', 'hex')) */
export const integer = (value: number | bigint | Uint8Array): asn1.Integer =>
  value instanceof Uint8Array
    ? new asn1.Integer({ valueHex: value })
    : asn1.Integer.fromBigInt(BigInt(value));

/** PKI.js writes fractions of a second, which DER has no place for in certificates. */
export const wholeSecond = (ms: number): Date => new Date(Math.floor(ms / 1000) * 1000);

/** UTCTime until 2049 and GeneralizedTime from 2050 on (RFC 5280, 4.1.2.5). */
export const timeOf = (ms: number): Time =>
  new Time({ type: ms < Date.UTC(2050, 0) ? 0 : 1, value: wholeSecond(ms) });

export type IssuingDigest = 'sha1' | 'sha256' | 'sha384' | 'sha512';

const webName = (digest: Digest): string => digest.replace('sha', 'SHA-');

/** The signature algorithm of a key: certificates, CRLs and OCSP responses name it. */
export function signatureAlgorithm(
  { asymmetricKeyType: type }: KeyObject,
  digest: IssuingDigest = 'sha256',
): AlgorithmIdentifier {
  const hash = { name: webName(digest) };
  if (type === 'rsa') {
    const algorithmId = getOIDByAlgorithm({ name: 'RSASSA-PKCS1-v1_5', hash }, true);
    return new AlgorithmIdentifier({ algorithmId, algorithmParams: new asn1.Null() });
  }
  if (type === 'ec')
    return new AlgorithmIdentifier({ algorithmId: getOIDByAlgorithm({ name: 'ECDSA', hash }, true) });
  throw new TypeError(`The sandbox authority signs with RSA and EC keys, not with ${type}.`);
}

// Those that PKI.js has no name for.
const OTHER_DIGESTS: Readonly<Record<string, string>> = {
  sha224: '2.16.840.1.101.3.4.2.4',
  'sha3-256': '2.16.840.1.101.3.4.2.8',
  'sha3-384': '2.16.840.1.101.3.4.2.9',
  'sha3-512': '2.16.840.1.101.3.4.2.10',
};

/** @example digestAlgorithm('sha256') */
export const digestAlgorithm = (digest: Digest): AlgorithmIdentifier =>
  new AlgorithmIdentifier({
    algorithmId: OTHER_DIGESTS[digest] ?? getOIDByAlgorithm({ name: webName(digest) }, true),
    algorithmParams: new asn1.Null(),
  });

/** The signature over bytes, as certificates, CRLs and OCSP responses hold it. */
export const signatureOver = (
  bytes: Uint8Array,
  privateKey: KeyObject,
  digest: IssuingDigest = 'sha256',
): asn1.BitString => new asn1.BitString({ valueHex: sign(digest, bytes, privateKey) });

/**
 * A certificate or CRL with its signature: the algorithm and the signature stand after what is signed.
 * @example const der = signed(new CertificateRevocationList({ version, signature, issuer, thisUpdate }), privateKey, 'sha256');
 */
export function signed(
  unsigned: Certificate | CertificateRevocationList,
  privateKey: KeyObject,
  digest: IssuingDigest,
): Buffer {
  const [tbs] = unsigned.toSchema(true).valueBlock.value;
  if (!tbs) throw new Error('PKI.js encodes nothing that could be signed.');
  const algorithm = signatureAlgorithm(privateKey, digest).toSchema();
  const signature = signatureOver(Buffer.from(tbs.toBER()), privateKey, digest);
  return Buffer.from(new asn1.Sequence({ value: [tbs, algorithm, signature] }).toBER());
}

const keysRead = new WeakMap<KeyObject, PublicKeyInfo>();

/** Read once a key: a certificate names its own and its issuer's several times. */
export function publicKeyInfo(publicKey: KeyObject): PublicKeyInfo {
  const known = keysRead.get(publicKey);
  if (known) return known;
  const info = PublicKeyInfo.fromBER(publicKey.export({ format: 'der', type: 'spki' }));
  keysRead.set(publicKey, info);
  return info;
}

/** SHA-1 of the key's bits: the identifier that RFC 5280, 4.2.1.2, suggests. */
export const keyIdentifierOf = (publicKey: KeyObject): Buffer =>
  createHash('sha1').update(publicKeyInfo(publicKey).subjectPublicKey.valueBlock.valueHexView).digest();
