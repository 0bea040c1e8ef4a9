import { createHash, type KeyObject, sign } from 'node:crypto';
import { ASN1HEX, type Asn1, KJUR } from 'jsrsasign';

// jsrsasign encodes all that the sandbox's authority issues: a second implementation, which knows nothing of our
// own DER, CMS and X.509 code, so that a mistake of ours is not made twice and found right. Its maintenance has ended,
// so it is for the sandbox and for tests alone. It does not sign: node:crypto does, some fifteen times as fast.

// Its OCSP classes assign to names that they do not declare, which an ES module such as a bundle forbids.
Object.assign(globalThis, { _SingleResponseList: undefined, _ResponseData: undefined });

export const { cms, ocsp, tsp, x509 } = KJUR.asn1;

// The digests of ours that it has no name for.
x509.OID.registerOIDs({
  'sha3-256': '2.16.840.1.101.3.4.2.8',
  'sha3-384': '2.16.840.1.101.3.4.2.9',
  'sha3-512': '2.16.840.1.101.3.4.2.10',
});

/** @example bytesOf(new x509.CRL({ tbsobj, sigalg, sighex })) */
export const bytesOf = (element: Asn1): Buffer => Buffer.from(element.tohex(), 'hex');

/** @example hexOf(certificate.subject.der) */
export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** GeneralizedTime, in whole seconds. @example generalizedTime(nowMs) // '20260601000000Z' */
export const generalizedTime = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+|[-:T]/g, '');

/** UTCTime until 2049 and GeneralizedTime from 2050 on (RFC 5280, 4.1.2.5). */
export const timeOf = (ms: number): string => generalizedTime(ms).slice(ms < Date.UTC(2050, 0) ? 2 : 0);

export type IssuingDigest = 'sha1' | 'sha256' | 'sha384' | 'sha512';

/** The signature algorithm of a key: certificates, CRLs and OCSP responses name it. @example 'SHA256withECDSA' */
export function signatureAlgorithm({ asymmetricKeyType: type }: KeyObject, digest: IssuingDigest): string {
  if (type !== 'rsa' && type !== 'ec')
    throw new TypeError(`The sandbox authority signs with RSA and EC keys, not with ${type}.`);
  return `${digest.toUpperCase()}with${type === 'rsa' ? 'RSA' : 'ECDSA'}`;
}

/** The algorithm and the signature over an element, as the classes of jsrsasign take them. */
export const signatureOver = (element: Asn1, privateKey: KeyObject, digest: IssuingDigest = 'sha256') => ({
  sigalg: signatureAlgorithm(privateKey, digest),
  sighex: hexOf(sign(digest, bytesOf(element), privateKey)),
});

/** SHA-1 of the key's bits: the identifier that RFC 5280, 4.2.1.2, suggests. As hex. */
export function keyIdentifierOf(publicKey: KeyObject): string {
  const spki = hexOf(publicKey.export({ format: 'der', type: 'spki' }));
  const bits = ASN1HEX.getVbyList(spki, 0, [1], '03', true);
  return createHash('sha1').update(bits, 'hex').digest('hex');
}
