import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** The key of a seal. All three values must be the same to open it. */
export type SealKey = {
  /** At least 128 random bits: a random value or a key, never a password. */
  readonly secret: string | Uint8Array;
  /** A second factor, where the secret alone must not open the seal. */
  readonly salt?: string | Uint8Array;
  /** The purpose and owner of the sealed text. A seal that is copied to another record does not open. */
  readonly about: string;
};

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

// `about` is part of the key, and of the additional data too, so that GCM itself authenticates it.
const keyOf = ({ secret, salt = '', about }: SealKey): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, about, KEY_BYTES));

/**
 * Encrypts a text with AES-256-GCM. Each call gives a different result.
 * @example const sealedToken = seal({ secret: sessionValue, about: 'hub session token' }, token);
 */
export function seal(key: SealKey, plain: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(key), nonce).setAAD(Buffer.from(key.about));
  const sealed = [nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat(sealed).toString('base64url');
}

/**
 * Decrypts a sealed text. Undefined if the key is another or the text was changed.
 * @example const token = unseal({ secret: sessionValue, about: 'hub session token' }, session.sealedToken);
 */
export function unseal(key: SealKey, text: string): string | undefined {
  const sealed = Buffer.from(text, 'base64url');
  if (sealed.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv(CIPHER, keyOf(key), sealed.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
    .setAAD(Buffer.from(key.about))
    .setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    const plain = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
    return Buffer.concat([plain, decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
