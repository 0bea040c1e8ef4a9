import { children, childrenOf, type Element, expectTag, readDer } from '../../../../../shared/der/read.ts';
import { TAG } from '../../../../../shared/der/tags.ts';
import { type Certificate, parseCertificate } from '../../../../../shared/pki/certificate/certificate.ts';
import {
  authorityKeyIdentifier,
  basicConstraints,
  extendedKeyUsage,
  keyUsage,
  subjectAltNames,
  subjectKeyIdentifier,
} from '../../../../../shared/pki/extensions/extensions.ts';
import type { GeneralName } from '../../../../../shared/pki/extensions/general-names.ts';
import {
  accessAddresses,
  crlAddresses,
  isOcspNoCheck,
} from '../../../../../shared/pki/extensions/locations.ts';
import { certificatePolicies } from '../../../../../shared/pki/extensions/policies.ts';
import { parseCrl } from '../../../../../shared/pki/revocation/crl/crl.ts';
import { findEntry } from '../../../../../shared/pki/revocation/crl/entries.ts';
import { OCSP_NONCE } from '../../../../../shared/pki/revocation/ocsp/request.ts';
import { parseOcspResponse } from '../../../../../shared/pki/revocation/ocsp/response.ts';
import { onlyOctets } from '../../../../../shared/signing/cms/attribute-map.ts';
import { ATTRIBUTE } from '../../../../../shared/signing/cms/oids.ts';
import { readSignedData } from '../../../../../shared/signing/cms/read.ts';
import { readInfo } from '../../../../../shared/signing/timestamp/info.ts';
import { readResponse } from '../../../../../shared/signing/timestamp/response.ts';
import type { CertificateView, CrlView, OcspView, TimestampView } from './views.ts';

// How our own readers read the same bytes.

export function viewOfCertificate(der: Buffer): CertificateView {
  const read = parseCertificate(der);
  return {
    serial: read.serialHex,
    issuer: read.issuer.text,
    subject: read.subject.text,
    notBeforeMs: read.notBeforeMs,
    notAfterMs: read.notAfterMs,
    publicKey: read.spki.toString('hex'),
    signatureAlgorithm: read.signatureAlgorithm.oid,
    critical: [...read.extensions].flatMap(([oid, { critical }]) => (critical ? [oid] : [])),
    isAuthority: basicConstraints(read)?.isAuthority ?? false,
    pathLength: basicConstraints(read)?.pathLength,
    keyUsage: [...(keyUsage(read) ?? [])],
    purposes: extendedKeyUsage(read) ?? [],
    policies: (certificatePolicies(read) ?? []).map(({ oid }) => oid),
    altNames: subjectAltNames(read).map(altNameOf),
    subjectKey: subjectKeyIdentifier(read)?.toString('hex') ?? '',
    authorityKey: authorityKeyIdentifier(read)?.keyIdentifier?.toString('hex'),
    crls: crlAddresses(read),
    ocsp: accessAddresses(read, 'ocsp'),
    caIssuers: accessAddresses(read, 'caIssuers'),
    isOcspNoCheck: isOcspNoCheck(read),
  };
}

function altNameOf(name: GeneralName): string {
  if (name.kind === 'otherName') return `${name.oid} ${name.value.content.toString('hex')}`;
  if (name.kind === 'rfc822Name') return name.value;
  throw new Error(`The sandbox issues no ${name.kind}.`);
}

export function viewOfCrl(der: Buffer, certificates: readonly Certificate[]): CrlView {
  const read = parseCrl(der);
  return {
    issuer: read.issuer.text,
    thisUpdateMs: read.thisUpdateMs,
    nextUpdateMs: read.nextUpdateMs,
    number: read.number ?? -1n,
    authorityKey: read.issuerKeyIdentifier?.toString('hex') ?? '',
    signatureAlgorithm: read.signatureAlgorithm.oid,
    revoked: certificates.map((certificate) => findEntry(read, certificate)),
  };
}

export function viewOfOcsp(der: Buffer): OcspView {
  const read = parseOcspResponse(der);
  const nonce = read.extensions.get(OCSP_NONCE);
  return {
    responderKey: 'keyHash' in read.responder ? read.responder.keyHash.toString('hex') : '',
    producedAtMs: read.producedAtMs,
    signatureAlgorithm: read.signatureAlgorithm.oid,
    nonce: nonce && expectTag(readDer(nonce.value), TAG.OCTET_STRING).content.toString('hex'),
    certificates: read.certificates.map((certificate) => certificate.der.toString('hex')),
    statuses: read.statuses.map(({ certificateId: id, status, thisUpdateMs, nextUpdateMs }) => ({
      hash: id.hashOid,
      issuerName: id.issuerNameHash.toString('hex'),
      issuerKey: id.issuerKeyHash.toString('hex'),
      serial: readDer(id.serialDer).content.toString('hex'),
      status: typeof status === 'string' ? status : 'revoked',
      revokedAtMs: typeof status === 'string' ? undefined : status.revokedAtMs,
      thisUpdateMs,
      nextUpdateMs,
    })),
  };
}

export function viewOfTimestamp(der: Buffer): TimestampView {
  const response = readResponse(der);
  if (!response.granted) throw new Error(`No timestamp: ${response.text}`);
  const { content, certificates, signers } = readSignedData(response.token);
  const [signer] = signers;
  if (!content || !signer || !('issuer' in signer.id)) throw new Error('The token is of another kind.');
  const info = readInfo(content);
  const [signingCertificate] = signer.signed.get(ATTRIBUTE.signingCertificateV2) ?? [];
  return {
    policy: info.policy,
    hash: info.imprint.hash.toString('hex'),
    digest: info.imprint.digestOid,
    serial: info.serialNumber,
    timeMs: info.timeMs,
    accuracyMs: info.accuracyMs,
    nonce: info.nonce && readDer(info.nonce).content.toString('hex'),
    signer: signer.id.issuer.text,
    signerSerial: readDer(signer.id.serial).content.toString('hex'),
    signingCertificate: signingCertificate ? firstHash(signingCertificate) : '',
    messageDigest: onlyOctets(signer.signed, ATTRIBUTE.messageDigest)?.toString('hex') ?? '',
    certificates: certificates.map(({ sha256 }) => sha256),
  };
}

/** SigningCertificateV2 { certs { ESSCertIDv2 { certHash … } … } } (RFC 5035, 3). */
function firstHash(signingCertificate: Element): string {
  const [certificates] = children(signingCertificate);
  const [id] = childrenOf(certificates, TAG.SEQUENCE);
  return expectTag(childrenOf(id, TAG.SEQUENCE)[0], TAG.OCTET_STRING).content.toString('hex');
}
