import { createPublicKey, type KeyObject } from 'node:crypto';
import * as asn1 from 'asn1js';
import {
  CertificateRevocationList,
  type Extension,
  Extensions,
  id_CRLNumber,
  id_CRLReason,
  RevokedCertificate,
} from 'pkijs';
import type { Certificate } from '../../../../../shared/pki/certificate/certificate.ts';
import { authorityKeyIdentifierOf, extensionOf } from './extensions.ts';
import { encodedName } from './general-names.ts';
import { type IssuingDigest, integer, signatureAlgorithm, signed, timeOf } from './pkijs.ts';

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

const VERSION_2 = 1;

/**
 * A revocation list of version 2, signed.
 * @example issueCrl(signerOf(authority, 'root'), { revoked: [], thisUpdateMs, nextUpdateMs, number: 1 })
 */
export function issueCrl(
  issuer: { readonly privateKey: KeyObject; readonly certificate: Certificate },
  { revoked, thisUpdateMs, nextUpdateMs, number, extensions = [], digest = 'sha256' }: CrlContent,
): Buffer {
  const crl = new CertificateRevocationList({
    version: VERSION_2,
    signature: signatureAlgorithm(issuer.privateKey, digest),
    issuer: encodedName(issuer.certificate.subject.der),
    thisUpdate: timeOf(thisUpdateMs),
    ...(nextUpdateMs !== undefined && { nextUpdate: timeOf(nextUpdateMs) }),
    // RFC 5280, 5.1.2.6: a list without entries is absent, not empty.
    ...(revoked.length > 0 && { revokedCertificates: revoked.map(entryOf) }),
    crlExtensions: new Extensions({
      extensions: [
        authorityKeyIdentifierOf(createPublicKey(issuer.privateKey)),
        extensionOf(id_CRLNumber, integer(number)),
        ...extensions,
      ],
    }),
  });
  return signed(crl, issuer.privateKey, digest);
}

function entryOf({ serial, revokedAtMs, reason, extensions = [] }: RevokedEntry): RevokedCertificate {
  const all = [
    ...(reason === undefined ? [] : [extensionOf(id_CRLReason, new asn1.Enumerated({ value: reason }))]),
    ...extensions,
  ];
  return new RevokedCertificate({
    userCertificate: integer(Buffer.from(serial, 'hex')),
    revocationDate: timeOf(revokedAtMs),
    ...(all.length > 0 && { crlEntryExtensions: new Extensions({ extensions: all }) }),
  });
}
