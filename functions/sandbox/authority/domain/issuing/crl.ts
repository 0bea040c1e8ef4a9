import { createPublicKey, type KeyObject } from 'node:crypto';
import type { Extension } from 'jsrsasign';
import type { Certificate } from '../../../../../shared/pki/certificate/certificate.ts';
import { authorityKeyIdentifierOf } from './extensions.ts';
import {
  bytesOf,
  hexOf,
  type IssuingDigest,
  signatureAlgorithm,
  signatureOver,
  timeOf,
  x509,
} from './jsrsasign.ts';

export type RevokedEntry = {
  /** Hexadecimal, as the certificate has it. */
  readonly serial: string;
  readonly revokedAtMs: number;
  /** RFC 5280, 5.3.1. */
  readonly reason?: number | undefined;
  readonly extensions?: readonly Extension[];
};

export type CrlContent = {
  readonly revoked: readonly RevokedEntry[];
  readonly thisUpdateMs: number;
  readonly nextUpdateMs?: number;
  readonly number: number;
  readonly extensions?: readonly Extension[];
  readonly digest?: IssuingDigest;
};

/**
 * A revocation list of version 2, signed.
 * @example issueCrl(signerOf(authority, 'root'), { revoked: [], thisUpdateMs, nextUpdateMs, number: 1 })
 */
export function issueCrl(
  issuer: { readonly privateKey: KeyObject; readonly certificate: Certificate },
  { revoked, thisUpdateMs, nextUpdateMs, number, extensions = [], digest = 'sha256' }: CrlContent,
): Buffer {
  const tbsobj = new x509.TBSCertList({
    version: 2,
    sigalg: signatureAlgorithm(issuer.privateKey, digest),
    issuer: { hex: hexOf(issuer.certificate.subject.der) },
    thisupdate: timeOf(thisUpdateMs),
    ...(nextUpdateMs !== undefined && { nextupdate: timeOf(nextUpdateMs) }),
    // RFC 5280, 5.1.2.6: a list without entries is absent, not empty.
    ...(revoked.length > 0 && { revcert: revoked.map(entryOf) }),
    ext: [
      authorityKeyIdentifierOf(createPublicKey(issuer.privateKey)),
      { extname: 'cRLNumber', num: { int: number } },
      ...extensions,
    ],
  });
  return bytesOf(new x509.CRL({ tbsobj, ...signatureOver(tbsobj, issuer.privateKey, digest) }));
}

function entryOf({ serial, revokedAtMs, reason, extensions = [] }: RevokedEntry) {
  const ext = [...(reason === undefined ? [] : [{ extname: 'cRLReason', code: reason }]), ...extensions];
  return { sn: { hex: serial }, date: timeOf(revokedAtMs), ...(ext.length > 0 && { ext }) };
}
