import type { KeyObject } from 'node:crypto';
import type { Extension, GeneralName } from 'jsrsasign';
import { KEY_PURPOSE, type KeyUsage } from '../../../../../shared/pki/extensions/extensions.ts';
import { keyIdentifierOf } from './jsrsasign.ts';

/** @example basicConstraintsOf({ isAuthority: true, pathLength: 0 }) */
export const basicConstraintsOf = (of: { isAuthority: boolean; pathLength?: number }): Extension => ({
  extname: 'basicConstraints',
  critical: of.isAuthority,
  cA: of.isAuthority,
  ...(of.pathLength !== undefined && { pathLen: of.pathLength }),
});

/** @example keyUsageOf(['digitalSignature', 'nonRepudiation']) */
export const keyUsageOf = (names: readonly KeyUsage[]): Extension => ({
  extname: 'keyUsage',
  critical: true,
  names,
});

/** @example extendedKeyUsageOf(['timeStamping'], true) */
export const extendedKeyUsageOf = (
  purposes: readonly (keyof typeof KEY_PURPOSE)[],
  critical = false,
): Extension => ({
  extname: 'extKeyUsage',
  critical,
  array: purposes.map((purpose) => KEY_PURPOSE[purpose]),
});

export const subjectKeyIdentifierOf = (publicKey: KeyObject): Extension => ({
  extname: 'subjectKeyIdentifier',
  kid: { hex: keyIdentifierOf(publicKey) },
});

export const authorityKeyIdentifierOf = (publicKey: KeyObject): Extension => ({
  extname: 'authorityKeyIdentifier',
  kid: { hex: keyIdentifierOf(publicKey) },
});

/** One distribution point an address. @example crlDistributionPointsOf(['http://localhost:3000/sandbox/pki/sub.crl']) */
export const crlDistributionPointsOf = (addresses: readonly string[]): Extension => ({
  extname: 'cRLDistributionPoints',
  array: addresses.map((fulluri) => ({ fulluri })),
});

/** @example authorityInfoAccessOf({ ocsp: ['http://localhost:3000/sandbox/pki/ocsp'] }) */
export const authorityInfoAccessOf = (of: {
  ocsp?: readonly string[];
  caIssuers?: readonly string[];
}): Extension => ({
  extname: 'authorityInfoAccess',
  array: [
    ...(of.ocsp ?? []).map((ocsp) => ({ ocsp })),
    ...(of.caIssuers ?? []).map((caissuer) => ({ caissuer })),
  ],
});

/** @example certificatePoliciesOf(['2.16.76.1.2.1.999'], 'http://localhost:3000/sandbox/pki/dpc') */
export const certificatePoliciesOf = (policies: readonly string[], statement?: string): Extension => ({
  extname: 'certificatePolicies',
  array: policies.map((policyoid) => ({ policyoid, ...(statement && { array: [{ cps: statement }] }) })),
});

/** @example subjectAltNameOf([{ rfc822: 'maria@example.com' }]) */
export const subjectAltNameOf = (names: readonly GeneralName[]): Extension => ({
  extname: 'subjectAltName',
  array: names,
});

/** RFC 6960, 4.2.2.2.1: the responder's own status is not asked for. */
export const ocspNoCheckOf = (): Extension => ({ extname: 'ocspNoCheck' });
