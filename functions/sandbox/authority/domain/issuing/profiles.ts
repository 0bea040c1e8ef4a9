import { createPublicKey, type KeyObject } from 'node:crypto';
import type { Extension } from 'pkijs';
import {
  authorityInfoAccessOf,
  authorityKeyIdentifierOf,
  basicConstraintsOf,
  certificatePoliciesOf,
  crlDistributionPointsOf,
  extendedKeyUsageOf,
  keyUsageOf,
  ocspNoCheckOf,
  subjectKeyIdentifierOf,
} from './extensions.ts';
import { type HolderFields, holderNames } from './icp-brasil.ts';

/** Whose key the certificate is for, whose key signs it, and where its authority publishes. */
type Keys = { readonly publicKey: KeyObject; readonly issuerKey: KeyObject; readonly places?: Places };

export type Places = {
  readonly crl?: readonly string[];
  readonly ocsp?: readonly string[];
  readonly caIssuers?: readonly string[];
};

const identifiers = ({ publicKey, issuerKey }: Keys): Extension[] => [
  subjectKeyIdentifierOf(publicKey),
  authorityKeyIdentifierOf(issuerKey.type === 'private' ? createPublicKey(issuerKey) : issuerKey),
];

const published = ({ places: { crl = [], ocsp = [], caIssuers = [] } = {} }: Keys): Extension[] => [
  ...(crl.length ? [crlDistributionPointsOf(crl)] : []),
  ...(ocsp.length || caIssuers.length ? [authorityInfoAccessOf({ ocsp, caIssuers })] : []),
];

/** @example extensions: rootProfile(publicKey) */
export const rootProfile = (publicKey: KeyObject): Extension[] => [
  basicConstraintsOf({ isAuthority: true }),
  keyUsageOf(['keyCertSign', 'cRLSign']),
  subjectKeyIdentifierOf(publicKey),
];

/** An authority below the root; by default it may only issue to holders. */
export const intermediateProfile = (
  keys: Keys & { readonly policies?: readonly string[]; readonly pathLength?: number },
): Extension[] => [
  basicConstraintsOf({ isAuthority: true, pathLength: keys.pathLength ?? 0 }),
  keyUsageOf(['keyCertSign', 'cRLSign']),
  ...(keys.policies?.length ? [certificatePoliciesOf(keys.policies)] : []),
  ...identifiers(keys),
  ...published(keys),
];

/** A person or a company that signs. */
export const holderProfile = (
  keys: Keys & { readonly holder: HolderFields; readonly policies?: readonly string[] },
): Extension[] => [
  basicConstraintsOf({ isAuthority: false }),
  keyUsageOf(['digitalSignature', 'nonRepudiation', 'keyEncipherment']),
  extendedKeyUsageOf(['clientAuth', 'emailProtection']),
  ...(keys.policies?.length ? [certificatePoliciesOf(keys.policies)] : []),
  holderNames(keys.holder),
  ...identifiers(keys),
  ...published(keys),
];

export const ocspResponderProfile = (keys: Keys): Extension[] => [
  basicConstraintsOf({ isAuthority: false }),
  keyUsageOf(['digitalSignature']),
  extendedKeyUsageOf(['ocspSigning']),
  ocspNoCheckOf(),
  ...identifiers(keys),
];

/** RFC 3161 asks for the purpose to be critical and to be the only one. */
export const timestampAuthorityProfile = (keys: Keys): Extension[] => [
  basicConstraintsOf({ isAuthority: false }),
  keyUsageOf(['digitalSignature', 'nonRepudiation']),
  extendedKeyUsageOf(['timeStamping'], true),
  ...identifiers(keys),
  ...published(keys),
];
