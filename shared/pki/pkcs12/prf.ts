/** The functions that PBKDF2 may rest on, all of them HMACs, by the hash in them. */
export const PRF = {
  /** Where none is named: HMAC with SHA-1. */
  default: '1.2.840.113549.2.7',
  digests: {
    '1.2.840.113549.2.6': 'md5',
    '1.2.840.113549.2.7': 'sha1',
    '1.2.840.113549.2.8': 'sha224',
    '1.2.840.113549.2.9': 'sha256',
    '1.2.840.113549.2.10': 'sha384',
    '1.2.840.113549.2.11': 'sha512',
    '1.2.840.113549.2.12': 'sha512-224',
    '1.2.840.113549.2.13': 'sha512-256',
    '2.16.840.1.101.3.4.2.13': 'sha3-224',
    '2.16.840.1.101.3.4.2.14': 'sha3-256',
    '2.16.840.1.101.3.4.2.15': 'sha3-384',
    '2.16.840.1.101.3.4.2.16': 'sha3-512',
  } as Readonly<Record<string, string>>,
} as const;
