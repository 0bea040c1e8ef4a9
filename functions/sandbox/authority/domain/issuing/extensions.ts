import type { KeyObject } from 'node:crypto';
import * as asn1 from 'asn1js';
import {
  AccessDescription,
  AuthorityKeyIdentifier,
  BasicConstraints,
  CertificatePolicies,
  CRLDistributionPoints,
  DistributionPoint,
  Extension,
  ExtKeyUsage,
  type GeneralName,
  GeneralNames,
  InfoAccess,
  id_AuthorityInfoAccess,
  id_AuthorityKeyIdentifier,
  id_ad_caIssuers,
  id_ad_ocsp,
  id_BasicConstraints,
  id_CertificatePolicies,
  id_CRLDistributionPoints,
  id_ExtKeyUsage,
  id_KeyUsage,
  id_SubjectAltName,
  id_SubjectKeyIdentifier,
  PolicyInformation,
  PolicyQualifierInfo,
} from 'pkijs';
import { KEY_PURPOSE, type KeyUsage } from '../../../../../shared/pki/extensions/extensions.ts';
import { uriName } from './general-names.ts';
import { keyIdentifierOf, octets } from './pkijs.ts';

/** With any element in it, or any bytes. @example extensionOf(id_CRLNumber, integer(1)) */
export const extensionOf = (
  extnID: string,
  value: Uint8Array | { toBER(): ArrayBuffer },
  critical = false,
): Extension =>
  new Extension({
    extnID,
    critical,
    extnValue: value instanceof Uint8Array ? new Uint8Array(value).buffer : value.toBER(),
  });

/** @example basicConstraintsOf({ isAuthority: true, pathLength: 0 }) */
export function basicConstraintsOf(of: { isAuthority: boolean; pathLength?: number }): Extension {
  const constraints = new BasicConstraints({
    cA: of.isAuthority,
    ...(of.pathLength !== undefined && { pathLenConstraint: of.pathLength }),
  });
  return extensionOf(id_BasicConstraints, constraints.toSchema(), of.isAuthority);
}

// RFC 5280, 4.2.1.3
const KEY_USAGE_BITS: Readonly<Record<KeyUsage, number>> = {
  digitalSignature: 0,
  nonRepudiation: 1,
  keyEncipherment: 2,
  dataEncipherment: 3,
  keyAgreement: 4,
  keyCertSign: 5,
  cRLSign: 6,
  encipherOnly: 7,
  decipherOnly: 8,
};

/** @example keyUsageOf(['digitalSignature', 'nonRepudiation']) */
export const keyUsageOf = (names: readonly KeyUsage[]): Extension =>
  extensionOf(id_KeyUsage, namedBits(names.map((name) => KEY_USAGE_BITS[name])), true);

/** A BIT STRING of named bits: DER drops the zeros at its end. @example namedBits([0, 8]) */
export function namedBits(bits: readonly number[]): asn1.BitString {
  const last = Math.max(-1, ...bits);
  const bytes = Buffer.alloc(Math.ceil((last + 1) / 8));
  for (const bit of bits) bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (0x80 >> (bit & 7));
  return new asn1.BitString({ valueHex: bytes, unusedBits: bytes.length * 8 - (last + 1) });
}

/** @example extendedKeyUsageOf(['timeStamping'], true) */
export const extendedKeyUsageOf = (
  purposes: readonly (keyof typeof KEY_PURPOSE)[],
  critical = false,
): Extension => {
  const keyPurposes = purposes.map((purpose) => KEY_PURPOSE[purpose]);
  return extensionOf(id_ExtKeyUsage, new ExtKeyUsage({ keyPurposes }).toSchema(), critical);
};

export const subjectKeyIdentifierOf = (publicKey: KeyObject): Extension =>
  extensionOf(id_SubjectKeyIdentifier, octets(keyIdentifierOf(publicKey)));

export const authorityKeyIdentifierOf = (publicKey: KeyObject): Extension => {
  const keyIdentifier = octets(keyIdentifierOf(publicKey));
  return extensionOf(id_AuthorityKeyIdentifier, new AuthorityKeyIdentifier({ keyIdentifier }).toSchema());
};

/** One distribution point an address. @example crlDistributionPointsOf(['http://localhost:3000/sandbox/pki/sub.crl']) */
export const crlDistributionPointsOf = (addresses: readonly string[]): Extension => {
  const distributionPoints = addresses.map(
    (address) => new DistributionPoint({ distributionPoint: [uriName(address)] }),
  );
  return extensionOf(id_CRLDistributionPoints, new CRLDistributionPoints({ distributionPoints }).toSchema());
};

/** @example authorityInfoAccessOf({ ocsp: ['http://localhost:3000/sandbox/pki/ocsp'] }) */
export const authorityInfoAccessOf = (of: {
  ocsp?: readonly string[];
  caIssuers?: readonly string[];
}): Extension => {
  const accessDescriptions = [
    ...(of.ocsp ?? []).map((address) => accessTo(id_ad_ocsp, address)),
    ...(of.caIssuers ?? []).map((address) => accessTo(id_ad_caIssuers, address)),
  ];
  return extensionOf(id_AuthorityInfoAccess, new InfoAccess({ accessDescriptions }).toSchema());
};

const accessTo = (accessMethod: string, address: string): AccessDescription =>
  new AccessDescription({ accessMethod, accessLocation: uriName(address) });

// RFC 5280, 4.2.1.4
const ID_QT_CPS = '1.3.6.1.5.5.7.2.1';

/** @example certificatePoliciesOf(['2.16.76.1.2.1.999'], 'http://localhost:3000/sandbox/pki/dpc') */
export const certificatePoliciesOf = (policies: readonly string[], statement?: string): Extension => {
  const certificatePolicies = policies.map(
    (policyIdentifier) =>
      new PolicyInformation({
        policyIdentifier,
        ...(statement && { policyQualifiers: [practiceStatement(statement)] }),
      }),
  );
  return extensionOf(id_CertificatePolicies, new CertificatePolicies({ certificatePolicies }).toSchema());
};

const practiceStatement = (address: string): PolicyQualifierInfo =>
  new PolicyQualifierInfo({
    policyQualifierId: ID_QT_CPS,
    qualifier: new asn1.IA5String({ value: address }),
  });

/** @example subjectAltNameOf([mailName('maria@example.com')]) */
export const subjectAltNameOf = (names: readonly GeneralName[]): Extension =>
  extensionOf(id_SubjectAltName, new GeneralNames({ names: [...names] }).toSchema());

const ID_PKIX_OCSP_NOCHECK = '1.3.6.1.5.5.7.48.1.5';

/** RFC 6960, 4.2.2.2.1: the responder's own status is not asked for. */
export const ocspNoCheckOf = (): Extension => extensionOf(ID_PKIX_OCSP_NOCHECK, new asn1.Null());
