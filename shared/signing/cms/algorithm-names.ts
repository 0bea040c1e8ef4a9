// Algorithms that are met in signatures and not supported here, so that a message can name them.
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

/** An algorithm as a message calls it. @example algorithmName('1.2.840.113549.2.5') // 'MD5 (1.2.840.113549.2.5)' */
export const algorithmName = (oid: string): string => (NAMES[oid] ? `${NAMES[oid]} (${oid})` : oid);
