import { type KeyObject, randomBytes } from 'node:crypto';
import { Certificate as CertificateEncoder, type Extension } from 'pkijs';
import { type Certificate, parseCertificate } from '../../../../../shared/pki/certificate/certificate.ts';
import { encodedName, type NameParts, nameOf } from './general-names.ts';
import { type IssuingDigest, integer, publicKeyInfo, signatureAlgorithm, signed, timeOf } from './pkijs.ts';

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

const VERSION_3 = 2;

/**
 * A version 3 certificate, signed.
 * @example const root = issueCertificate({ subject, publicKey, issuer: { privateKey }, notBeforeMs, notAfterMs, extensions });
 */
export function issueCertificate(issuance: Issuance): Certificate {
  const { issuer, publicKey, digest = 'sha256', extensions = [] } = issuance;
  const subject = nameOf(issuance.subject);
  const certificate = new CertificateEncoder({
    version: VERSION_3,
    serialNumber: integer(issuance.serialNumber ?? newSerialNumber()),
    signature: signatureAlgorithm(issuer.privateKey, digest),
    issuer: issuer.certificate ? encodedName(issuer.certificate.subject.der) : subject,
    notBefore: timeOf(issuance.notBeforeMs),
    notAfter: timeOf(issuance.notAfterMs),
    subject,
    subjectPublicKeyInfo: publicKeyInfo(publicKey),
    ...(extensions.length > 0 && { extensions: [...extensions] }),
  });
  return parseCertificate(signed(certificate, issuer.privateKey, digest));
}

// Sixteen random bytes, the first one neither zero nor negative: the number always has the same length.
function newSerialNumber(): Buffer {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes;
}
