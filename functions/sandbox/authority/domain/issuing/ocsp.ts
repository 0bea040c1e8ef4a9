import type { KeyObject } from 'node:crypto';
import type { Extension } from 'jsrsasign';
import type { Certificate } from '../../../../../shared/pki/certificate/certificate.ts';
import { writePem } from '../../../../../shared/pki/pem.ts';
import { bytesOf, generalizedTime, hexOf, keyIdentifierOf, ocsp, signatureOver } from './jsrsasign.ts';

/** The certificate that a status is about: its issuer by the hashes of name and key, and its serial number. */
export type CertificateId = {
  readonly digest: string;
  readonly issuerNameHash: Buffer;
  readonly issuerKeyHash: Buffer;
  /** Hexadecimal. */
  readonly serial: string;
};

export type CertificateStatus =
  | 'good'
  | 'unknown'
  | { readonly revokedAtMs: number; readonly reason?: number | undefined };

export type OcspContent = {
  readonly statuses: readonly {
    readonly id: CertificateId;
    readonly status: CertificateStatus;
    readonly thisUpdateMs: number;
    readonly nextUpdateMs?: number;
  }[];
  readonly producedAtMs: number;
  readonly extensions?: readonly Extension[];
  readonly responderBy?: 'name' | 'key';
  /** The responder's own certificate goes along, unless the reader has it. */
  readonly withCertificate?: boolean;
};

/** A basic response (RFC 6960, 4.2.1), signed. @example issueOcspResponse(signerOf(authority, 'ocsp'), { statuses, producedAtMs }) */
export function issueOcspResponse(
  { privateKey, certificate }: { readonly privateKey: KeyObject; readonly certificate: Certificate },
  { statuses, producedAtMs, extensions = [], responderBy = 'key', withCertificate = true }: OcspContent,
): Buffer {
  const tbsresp = new ocsp.ResponseData({
    respid:
      responderBy === 'key'
        ? { key: keyIdentifierOf(certificate.publicKey) }
        : { name: writePem('CERTIFICATE', certificate.der) },
    prodat: generalizedTime(producedAtMs),
    array: statuses.map(({ id, status, thisUpdateMs, nextUpdateMs }) => ({
      certid: {
        alg: id.digest,
        issname: hexOf(id.issuerNameHash),
        isskey: hexOf(id.issuerKeyHash),
        sbjsn: id.serial,
      },
      status: statusOf(status),
      thisupdate: generalizedTime(thisUpdateMs),
      ...(nextUpdateMs !== undefined && { nextupdate: generalizedTime(nextUpdateMs) }),
    })),
    ...(extensions.length > 0 && { ext: extensions }),
  });
  const response = new ocsp.OCSPResponse({
    resstatus: 'successful',
    restype: 'ocspBasic',
    tbsresp,
    ...signatureOver(tbsresp, privateKey),
    ...(withCertificate && { certs: [hexOf(certificate.der)] }),
  });
  return bytesOf(response);
}

const statusOf = (status: CertificateStatus) =>
  typeof status === 'string'
    ? { status }
    : {
        status: 'revoked' as const,
        time: generalizedTime(status.revokedAtMs),
        ...(status.reason !== undefined && { reason: status.reason }),
      };

/** A response without a status: why there is none. @example issueOcspRefusal('tryLater') */
export const issueOcspRefusal = (
  resstatus: 'malformedRequest' | 'internalError' | 'tryLater' | 'unauthorized',
): Buffer => bytesOf(new ocsp.OCSPResponse({ resstatus }));
