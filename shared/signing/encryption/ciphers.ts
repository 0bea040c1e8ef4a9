/** Content ciphers that are opened here; new envelopes use the last. */
export const CIPHERS = {
  'aes-128-cbc': { oid: '2.16.840.1.101.3.4.1.2', keyBytes: 16 },
  'aes-192-cbc': { oid: '2.16.840.1.101.3.4.1.22', keyBytes: 24 },
  'aes-256-cbc': { oid: '2.16.840.1.101.3.4.1.42', keyBytes: 32 },
} as const;

export type Cipher = keyof typeof CIPHERS;

/** Undefined for a cipher that is not known here. */
export const cipherByOid = (oid: string): Cipher | undefined =>
  (Object.keys(CIPHERS) as Cipher[]).find((cipher) => CIPHERS[cipher].oid === oid);
