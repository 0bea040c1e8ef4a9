import {
  childrenOf,
  type Element,
  expectTag,
  readBitString,
  readBoolean,
  readCount,
  readDer,
  readOid,
} from '../../der/read.ts';
import { context, TAG } from '../../der/tags.ts';
import { type Certificate, wrapDerError } from '../certificate/certificate.ts';
import { type GeneralName, readGeneralNames } from './general-names.ts';

export const EXTENSION = {
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  issuerAltName: '2.5.29.18',
  basicConstraints: '2.5.29.19',
  nameConstraints: '2.5.29.30',
  crlDistributionPoints: '2.5.29.31',
  certificatePolicies: '2.5.29.32',
  policyMappings: '2.5.29.33',
  authorityKeyIdentifier: '2.5.29.35',
  policyConstraints: '2.5.29.36',
  extendedKeyUsage: '2.5.29.37',
  freshestCrl: '2.5.29.46',
  inhibitAnyPolicy: '2.5.29.54',
  authorityInfoAccess: '1.3.6.1.5.5.7.1.1',
  ocspNoCheck: '1.3.6.1.5.5.7.48.1.5',
} as const;

export type ExtensionName = keyof typeof EXTENSION;

/** Anything with extensions: a certificate, a CRL, an OCSP response. */
export type Extended = Pick<Certificate, 'extensions'>;

/** Reads one extension, or undefined if it is absent. Throws CertificateMalformed for a malformed one. */
export function readExtension<T>(
  of: Extended,
  name: ExtensionName,
  read: (value: Element) => T,
): T | undefined {
  const extension = of.extensions.get(EXTENSION[name]);
  return (
    extension && wrapDerError(`The extension ${name} cannot be read`, () => read(readDer(extension.value)))
  );
}

export type BasicConstraints = { readonly isAuthority: boolean; readonly pathLength?: number };

/** @example basicConstraints(certificate)?.isAuthority */
export const basicConstraints = (of: Extended): BasicConstraints | undefined =>
  readExtension(of, 'basicConstraints', (value) => {
    const parts = childrenOf(value, TAG.SEQUENCE);
    const isAuthority = parts[0]?.tag === TAG.BOOLEAN && readBoolean(parts.shift());
    const [length] = parts;
    return { isAuthority, ...(length && { pathLength: readCount(length) }) };
  });

/** The bits of KeyUsage in their order (RFC 5280, 4.2.1.3). */
const KEY_USAGES = [
  'digitalSignature',
  'nonRepudiation',
  'keyEncipherment',
  'dataEncipherment',
  'keyAgreement',
  'keyCertSign',
  'cRLSign',
  'encipherOnly',
  'decipherOnly',
] as const;
export type KeyUsage = (typeof KEY_USAGES)[number];

/** @example keyUsage(certificate)?.has('nonRepudiation') */
export const keyUsage = (of: Extended): ReadonlySet<KeyUsage> | undefined =>
  readExtension(of, 'keyUsage', (value) => {
    const bits = readNamedBits(expectTag(value, TAG.BIT_STRING));
    return new Set(KEY_USAGES.filter((_, bit) => bits.has(bit)));
  });

/** The numbers of the set bits, whatever the tag. @example readNamedBits(reasons).has(1) */
export function readNamedBits(element: Element): ReadonlySet<number> {
  const { bytes } = readBitString({ ...element, tag: TAG.BIT_STRING });
  const set = new Set<number>();
  for (let bit = 0; bit < Math.min(bytes.length * 8, MAX_NAMED_BITS); bit++)
    if ((bytes[bit >> 3] ?? 0) & (0x80 >> (bit & 7))) set.add(bit);
  return set;
}
const MAX_NAMED_BITS = 32; // the longest list of named bits in X.509 has nine

export const KEY_PURPOSE = {
  any: '2.5.29.37.0',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
  emailProtection: '1.3.6.1.5.5.7.3.4',
  timeStamping: '1.3.6.1.5.5.7.3.8',
  ocspSigning: '1.3.6.1.5.5.7.3.9',
} as const;

/** The purposes as OIDs (RFC 5280, 4.2.1.12). @example extendedKeyUsage(certificate)?.includes(KEY_PURPOSE.timeStamping) */
export const extendedKeyUsage = (of: Extended): readonly string[] | undefined =>
  readExtension(of, 'extendedKeyUsage', (value) => childrenOf(value, TAG.SEQUENCE).map(readOid));

/** @example subjectKeyIdentifier(certificate)?.toString('hex') */
export const subjectKeyIdentifier = (of: Extended): Buffer | undefined =>
  readExtension(of, 'subjectKeyIdentifier', (value) => expectTag(value, TAG.OCTET_STRING).content);

export type AuthorityKeyIdentifier = {
  readonly keyIdentifier?: Buffer;
  readonly issuer?: readonly GeneralName[];
  /** authorityCertSerialNumber, the content of the INTEGER. */
  readonly serial?: Buffer;
};

/** @example authorityKeyIdentifier(certificate)?.keyIdentifier */
export const authorityKeyIdentifier = (of: Extended): AuthorityKeyIdentifier | undefined =>
  readExtension(of, 'authorityKeyIdentifier', (value) => {
    const parts = childrenOf(value, TAG.SEQUENCE);
    const keyIdentifier = parts.find(({ tag }) => tag === context(0, 'primitive'))?.content;
    const issuer = parts.find(({ tag }) => tag === context(1));
    const serial = parts.find(({ tag }) => tag === context(2, 'primitive'))?.content;
    return {
      ...(keyIdentifier && { keyIdentifier }),
      ...(issuer && { issuer: readGeneralNames(issuer, context(1)) }),
      ...(serial && { serial }),
    };
  });

/** @example subjectAltNames(certificate).find(({ kind }) => kind === 'rfc822Name') */
export const subjectAltNames = (of: Extended): readonly GeneralName[] =>
  readExtension(of, 'subjectAltName', (value) => readGeneralNames(value)) ?? [];
