import { type KeyObject, randomBytes } from 'node:crypto';
import type { Extension, X500Name } from 'jsrsasign';
import { type Certificate, parseCertificate } from '../../../../../shared/pki/certificate/certificate.ts';
import { NAME_OID, type NameAttributeType } from '../../../../../shared/pki/name/oids.ts';
import {
  bytesOf,
  hexOf,
  type IssuingDigest,
  signatureAlgorithm,
  signatureOver,
  timeOf,
  x509,
} from './jsrsasign.ts';

/** From the country down: `[['country', 'BR'], ['organization', 'ICP-Brasil'], ['commonName', 'MARIA']]`. */
export type NameParts = readonly (readonly [NameAttributeType, string])[];

/** A signing authority with its certificate, or, with none yet, the key of a root that signs itself. */
export type Issuer = { readonly privateKey: KeyObject; readonly certificate?: Certificate };

export type Issuance = {
  readonly subject: NameParts;
  readonly publicKey: KeyObject;
  readonly issuer: Issuer;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  readonly extensions?: readonly Extension[];
  /** Random by default. Bytes are the content of the INTEGER. */
  readonly serialNumber?: number | bigint | Buffer;
  readonly digest?: IssuingDigest;
};

/**
 * A version 3 certificate, signed.
 * @example const root = issueCertificate({ subject, publicKey, issuer: { privateKey }, notBeforeMs, notAfterMs, extensions });
 */
export function issueCertificate(issuance: Issuance): Certificate {
  const { issuer, publicKey, digest = 'sha256', extensions = [] } = issuance;
  const subject = nameOf(issuance.subject);
  const tbsobj = new x509.TBSCertificate({
    serial: serialOf(issuance.serialNumber ?? newSerialNumber()),
    sigalg: signatureAlgorithm(issuer.privateKey, digest),
    issuer: issuer.certificate ? { hex: hexOf(issuer.certificate.subject.der) } : subject,
    notbefore: timeOf(issuance.notBeforeMs),
    notafter: timeOf(issuance.notAfterMs),
    subject,
    sbjpubkey: publicKey.export({ format: 'pem', type: 'spki' }).toString(),
    ext: extensions,
  });
  const certificate = new x509.Certificate({ tbsobj, ...signatureOver(tbsobj, issuer.privateKey, digest) });
  return parseCertificate(bytesOf(certificate));
}

// RFC 5280 fixes the string type of these; the rest are UTF8String.
const FIXED_TYPES: Partial<Record<NameAttributeType, 'prn' | 'ia5'>> = {
  country: 'prn',
  serialNumber: 'prn',
  dnQualifier: 'prn',
  emailAddress: 'ia5',
  domainComponent: 'ia5',
};

/** @example new x509.X500Name(nameOf([['country', 'BR'], ['commonName', 'AC Raiz']])) */
export const nameOf = (parts: NameParts): X500Name => ({
  array: parts.map(([type, value]) => [{ type: NAME_OID[type], value, ds: FIXED_TYPES[type] ?? 'utf8' }]),
});

const serialOf = (number: number | bigint | Buffer) =>
  Buffer.isBuffer(number) ? { hex: hexOf(number) } : { int: String(number) };

// Sixteen random bytes, the first one neither zero nor negative: the number always has the same length.
function newSerialNumber(): Buffer {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes;
}
