import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, randomBytes } from 'node:crypto';

/** The key of a seal. All three values must be the same to open it. */
export type SealKey = {
  /** At least 128 random bits: a random value or a key, never a password. */
  readonly secret: string | Uint8Array;
  /** A second factor, where the secret alone must not open the seal. */
  readonly salt?: string | Uint8Array | undefined;
  /** The purpose and owner of the sealed text. A seal that is copied to another record does not open. */
  readonly about: string;
};

// The forms of a sealed text. It says of which form it is, and which key opens it:
//
//   s1.own.BODY                by a secret that its holder brings and the store does not have: a session's value, a state
//   s1.<key id>.WRAPPED.BODY   by a key of the ring, which the service has (keyring/envelope.ts)
export const VERSION = 's1';

/** In place of the id of a key: whoever has the secret opens it, and no rotation concerns it. */
const OWN = 'own';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

// Node takes a key as bytes too, for 14 µs more: it learns by an exception that they are no KeyObject. So each key is made
// one first.

// `about` is part of the key, and of the additional data too, so that GCM itself authenticates it.
const keyOf = ({ secret, salt = '', about }: SealKey): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', createSecretKey(Buffer.from(secret)), salt, about, KEY_BYTES));

/** Encrypts with AES-256-GCM, in base64url. Each call gives a different result. */
export const encrypt = (key: SealKey, plain: string | Uint8Array): string =>
  encryptWith(keyOf(key), key.about, plain);

/** The same by a key as it is. */
export function encryptWith(key: Uint8Array, about: string, plain: string | Uint8Array): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, createSecretKey(key), nonce).setAAD(Buffer.from(about));
  const encrypted = [nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat(encrypted).toString('base64url');
}

/** Decrypts. Undefined if the key is another or the text was changed. */
export const decrypt = (key: SealKey, text: string): Buffer | undefined =>
  decryptWith(keyOf(key), key.about, text);

/** The same by a key as it is. */
export function decryptWith(key: Uint8Array, about: string, text: string): Buffer | undefined {
  const encrypted = Buffer.from(text, 'base64url');
  if (encrypted.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv(CIPHER, createSecretKey(key), encrypted.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
    .setAAD(Buffer.from(about))
    .setAuthTag(encrypted.subarray(-TAG_BYTES));
  try {
    const plain = decipher.update(encrypted.subarray(NONCE_BYTES, -TAG_BYTES));
    return Buffer.concat([plain, decipher.final()]);
  } catch {
    return undefined;
  }
}

const PREFIX = `${VERSION}.${OWN}.`;

/**
 * Seals a text by a secret that the store does not have. What the service opens by itself is sealed with
 * keyring/stored.ts.
 * @example const sealedToken = seal({ secret: sessionValue, about: 'hub session token' }, token);
 */
export const seal = (key: SealKey, plain: string): string => `${PREFIX}${encrypt(key, plain)}`;

/**
 * Opens a sealed text. Undefined if the key is another or the text was changed.
 * @example const token = unseal({ secret: sessionValue, about: 'hub session token' }, session.sealedToken);
 */
export const unseal = (key: SealKey, text: string): string | undefined =>
  text.startsWith(PREFIX) ? decrypt(key, text.slice(PREFIX.length))?.toString('utf8') : undefined;
