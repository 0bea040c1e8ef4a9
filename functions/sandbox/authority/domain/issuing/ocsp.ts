import type { KeyObject } from 'node:crypto';
import * as asn1 from 'asn1js';
import {
  BasicOCSPResponse,
  CertID,
  Certificate as CertificateEncoder,
  type Extension,
  id_PKIX_OCSP_Basic,
  OCSPResponse,
  ResponseBytes,
  ResponseData,
  SingleResponse,
} from 'pkijs';
import type { Certificate } from '../../../../../shared/pki/certificate/certificate.ts';
import type { Digest } from '../../../../../shared/signing/digest.ts';
import { encodedName } from './general-names.ts';
import {
  bytesOf,
  digestAlgorithm,
  integer,
  keyIdentifierOf,
  octets,
  signatureAlgorithm,
  signatureOver,
  wholeSecond,
} from './pkijs.ts';

/** The certificate that a status is about: its issuer by the hashes of name and key, and its serial number. */
export type CertificateId = {
  readonly digest: Digest;
  readonly issuerNameHash: Buffer;
  readonly issuerKeyHash: Buffer;
  /** Hexadecimal. */
  readonly serial: string;
};

export type CertificateStatus =
  | 'good'
  | 'unknown'
  | { readonly revokedAtMs: number; readonly reason?: number | undefined };

type AboutCertificate = {
  readonly id: CertificateId;
  readonly status: CertificateStatus;
  readonly thisUpdateMs: number;
  readonly nextUpdateMs?: number;
};

export type OcspContent = {
  readonly statuses: readonly AboutCertificate[];
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
  const data = new ResponseData({
    responderID:
      responderBy === 'key'
        ? octets(keyIdentifierOf(certificate.publicKey))
        : encodedName(certificate.subject.der),
    producedAt: wholeSecond(producedAtMs),
    responses: statuses.map(singleResponse),
    ...(extensions.length > 0 && { responseExtensions: [...extensions] }),
  });
  const tbs = bytesOf(data);
  const basic = new BasicOCSPResponse({
    tbsResponseData: ResponseData.fromBER(tbs),
    signatureAlgorithm: signatureAlgorithm(privateKey),
    signature: signatureOver(tbs, privateKey),
    ...(withCertificate && { certs: [CertificateEncoder.fromBER(certificate.der)] }),
  });
  const response = new OCSPResponse({
    responseStatus: new asn1.Enumerated({ value: 0 }),
    responseBytes: new ResponseBytes({
      responseType: id_PKIX_OCSP_Basic,
      response: octets(bytesOf(basic)),
    }),
  });
  return bytesOf(response);
}

const singleResponse = ({ id, status, thisUpdateMs, nextUpdateMs }: AboutCertificate): SingleResponse =>
  new SingleResponse({
    certID: new CertID({
      hashAlgorithm: digestAlgorithm(id.digest),
      issuerNameHash: octets(id.issuerNameHash),
      issuerKeyHash: octets(id.issuerKeyHash),
      serialNumber: integer(Buffer.from(id.serial, 'hex')),
    }),
    certStatus: statusOf(status),
    thisUpdate: wholeSecond(thisUpdateMs),
    ...(nextUpdateMs !== undefined && { nextUpdate: wholeSecond(nextUpdateMs) }),
  });

/** A choice of context tags (RFC 6960, 4.2.1): good [0], revoked [1] and unknown [2]. */
function statusOf(status: CertificateStatus): asn1.BaseBlock {
  if (status === 'good') return new asn1.Primitive({ idBlock: { tagClass: 3, tagNumber: 0 } });
  if (status === 'unknown') return new asn1.Primitive({ idBlock: { tagClass: 3, tagNumber: 2 } });
  const time = new asn1.GeneralizedTime({ valueDate: wholeSecond(status.revokedAtMs) });
  const reasons = status.reason === undefined ? [] : [reasonOf(status.reason)];
  return new asn1.Constructed({ idBlock: { tagClass: 3, tagNumber: 1 }, value: [time, ...reasons] });
}

const reasonOf = (reason: number): asn1.BaseBlock =>
  new asn1.Constructed({
    idBlock: { tagClass: 3, tagNumber: 0 },
    value: [new asn1.Enumerated({ value: reason })],
  });

// OCSPResponseStatus (RFC 6960, 4.2.1)
const REFUSALS = { malformedRequest: 1, internalError: 2, tryLater: 3, unauthorized: 6 } as const;

/** A response without a status: why there is none. @example issueOcspRefusal('tryLater') */
export const issueOcspRefusal = (reason: keyof typeof REFUSALS): Buffer =>
  bytesOf(new OCSPResponse({ responseStatus: new asn1.Enumerated({ value: REFUSALS[reason] }) }));
