import type { Bytes } from '../../der/bytes.ts';
import type { Budget } from './budget.ts';
import type { PasswordReadings } from './password.ts';

export type Cipher = 'aes-128-cbc' | 'aes-192-cbc' | 'aes-256-cbc' | 'des-ede3-cbc' | 'rc2-cbc';

export type Pbkdf2Options = {
  /** The hash of the HMAC, by the name that node:crypto has for it. */
  readonly digest: string;
  readonly password: Bytes;
  readonly salt: Bytes;
  readonly rounds: number;
  readonly bytes: number;
};

/**
 * The cryptography that the opener takes from its host: node:crypto on the server, WebCrypto in a page. A host throws
 * UnsupportedPkcs12 where it lacks an algorithm.
 */
export type Pkcs12Host = {
  pbkdf2(options: Pbkdf2Options): Promise<Bytes>;
  /** Undefined where the padding is wrong or the data is no whole number of blocks: another password, or damage. */
  decrypt(cipher: Cipher, key: Bytes, iv: Bytes, data: Bytes): Promise<Bytes | undefined>;
  /** Hashes the message, and then its hash again: so many rounds in all, at least one. */
  hashRounds(digest: string, message: Bytes, rounds: number): Promise<Bytes>;
};

/** One attempt to open a file: the password, the work that it may take, and the host that does the work. */
export type Attempt = {
  readonly passwords: PasswordReadings;
  readonly budget: Budget;
  readonly host: Pkcs12Host;
};

/** How data under one AlgorithmIdentifier is decrypted, for each reading of the password in turn. */
export type Scheme = {
  readonly readings: readonly Bytes[];
  /** Undefined where the padding is wrong: another password, or damage. */
  decrypt(reading: Bytes, data: Bytes): Promise<Bytes | undefined>;
};
