import type { Digest } from '../digest.ts';

export const CONTENT = {
  data: '1.2.840.113549.1.7.1',
  signedData: '1.2.840.113549.1.7.2',
  envelopedData: '1.2.840.113549.1.7.3',
  encryptedData: '1.2.840.113549.1.7.6',
  authEnvelopedData: '1.2.840.113549.1.9.16.1.23',
  timestampInfo: '1.2.840.113549.1.9.16.1.4',
} as const;

export const ATTRIBUTE = {
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
  countersignature: '1.2.840.113549.1.9.6',
  signingCertificate: '1.2.840.113549.1.9.16.2.12',
  signatureTimestamp: '1.2.840.113549.1.9.16.2.14',
  signaturePolicy: '1.2.840.113549.1.9.16.2.15',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  algorithmProtection: '1.2.840.113549.1.9.52',
  certificateValues: '1.2.840.113549.1.9.16.2.23',
  revocationValues: '1.2.840.113549.1.9.16.2.24',
  archiveTimestampV3: '0.4.0.1733.2.4',
} as const;

/** The signature policy's address, as a qualifier of the policy attribute. */
export const POLICY_URI = '1.2.840.113549.1.9.16.5.1';

/** Algorithms that name the kind of key and leave the digest to the SignerInfo. */
export const SIGNATURE = { rsa: '1.2.840.113549.1.1.1', ecPublicKey: '1.2.840.10045.2.1' } as const;

export const RSA_WITH: Readonly<Record<Digest, string>> = {
  sha1: '1.2.840.113549.1.1.5',
  sha224: '1.2.840.113549.1.1.14',
  sha256: '1.2.840.113549.1.1.11',
  sha384: '1.2.840.113549.1.1.12',
  sha512: '1.2.840.113549.1.1.13',
  'sha3-256': '2.16.840.1.101.3.4.3.14',
  'sha3-384': '2.16.840.1.101.3.4.3.15',
  'sha3-512': '2.16.840.1.101.3.4.3.16',
};

export const ECDSA_WITH: Readonly<Record<Digest, string>> = {
  sha1: '1.2.840.10045.4.1',
  sha224: '1.2.840.10045.4.3.1',
  sha256: '1.2.840.10045.4.3.2',
  sha384: '1.2.840.10045.4.3.3',
  sha512: '1.2.840.10045.4.3.4',
  'sha3-256': '2.16.840.1.101.3.4.3.10',
  'sha3-384': '2.16.840.1.101.3.4.3.11',
  'sha3-512': '2.16.840.1.101.3.4.3.12',
};

/** The ats-hash-index attributes: hashes of what an archive timestamp covers. A token has one, unsigned. */
export const HASH_INDEX = {
  v1: '0.4.0.1733.2.5', // TS 101 733
  v2: '0.4.0.19122.1.4',
  v3: '0.4.0.19122.1.5', // EN 319 122-1, 5.5.2
} as const;

/** Unsigned attributes of other CAdES levels. They are reported, and no verdict rests on them. */
export const UNJUDGED_ATTRIBUTES: Readonly<Record<string, string>> = {
  '1.2.840.113549.1.9.16.2.21': 'complete certificate references',
  '1.2.840.113549.1.9.16.2.22': 'complete revocation references',
  '1.2.840.113549.1.9.16.2.25': 'a CAdES-C timestamp',
  '1.2.840.113549.1.9.16.2.26': 'a timestamp over references',
  '1.2.840.113549.1.9.16.2.27': 'an archive timestamp of version 1',
  '1.2.840.113549.1.9.16.2.44': 'attribute certificate references',
  '1.2.840.113549.1.9.16.2.45': 'attribute revocation references',
  '1.2.840.113549.1.9.16.2.48': 'an archive timestamp of version 2',
  '1.2.840.113549.1.9.16.2.49': 'an internal evidence record',
  '1.2.840.113549.1.9.16.2.50': 'an external evidence record',
  '0.4.0.1733.2.2': 'long-term validation data',
  '0.4.0.19122.1.3': 'a copy of the signature policy',
};

/** Signed attributes that are reported in the same way. */
export const UNJUDGED_SIGNED_ATTRIBUTES: Readonly<Record<string, string>> = {
  '1.2.840.113549.1.9.16.2.20': 'a timestamp over the content',
};

/** Signed attributes that are common in good signatures and that no check here depends on. */
export const OTHER_SIGNED_ATTRIBUTES = [
  '1.2.840.113549.1.9.15', // S/MIME capabilities
  '1.2.840.113549.1.9.16.2.4', // content hints
  '1.2.840.113549.1.9.16.2.16', // commitment type
  '1.2.840.113549.1.9.16.2.17', // signer location
  '1.2.840.113549.1.9.16.2.18', // signer attributes
  '0.4.0.1733.2.1', // MIME type
  '0.4.0.19122.1.1', // signer attributes, version 2
  '1.2.840.113583.1.1.8', // Adobe's revocation information
];

// Algorithms that occur in signatures and are not supported here. Messages name them.
const NAMES: Readonly<Record<string, string>> = {
  '1.2.840.113549.2.2': 'MD2',
  '1.2.840.113549.2.4': 'MD4',
  '1.2.840.113549.2.5': 'MD5',
  '1.2.840.113549.1.1.4': 'RSA with MD5',
  '1.3.36.3.2.1': 'RIPEMD-160',
  '1.3.36.3.3.1.2': 'RSA with RIPEMD-160',
  '2.16.840.1.101.3.4.2.5': 'SHA-512/224',
  '2.16.840.1.101.3.4.2.6': 'SHA-512/256',
  '2.16.840.1.101.3.4.2.7': 'SHA3-224',
  '2.16.840.1.101.3.4.2.11': 'SHAKE128',
  '2.16.840.1.101.3.4.2.12': 'SHAKE256',
  '2.16.840.1.101.3.4.2.17': 'SHAKE128',
  '2.16.840.1.101.3.4.2.18': 'SHAKE256',
  '1.2.643.7.1.1.2.2': 'GOST R 34.11-2012, 256 bits',
  '1.2.643.7.1.1.2.3': 'GOST R 34.11-2012, 512 bits',
  '1.2.156.10197.1.401': 'SM3',
  '1.2.156.10197.1.501': 'SM2 with SM3',
  '1.2.840.113549.1.1.10': 'RSA-PSS',
  '1.2.840.10040.4.1': 'DSA',
  '1.2.840.10040.4.3': 'DSA with SHA-1',
  '2.16.840.1.101.3.4.3.1': 'DSA with SHA-224',
  '2.16.840.1.101.3.4.3.2': 'DSA with SHA-256',
  '2.16.840.1.101.3.4.3.17': 'ML-DSA-44',
  '2.16.840.1.101.3.4.3.18': 'ML-DSA-65',
  '2.16.840.1.101.3.4.3.19': 'ML-DSA-87',
};

/** An algorithm's name for messages. @example algorithmName('1.2.840.113549.2.5') // 'MD5 (1.2.840.113549.2.5)' */
export const algorithmName = (oid: string): string => (NAMES[oid] ? `${NAMES[oid]} (${oid})` : oid);
