import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** What a seal opens with. All three must be as they were. */
export type SealKey = {
  /** At least 128 bits that nobody can guess: a random value or a key, never a password. */
  readonly secret: string | Uint8Array;
  /** A second half, where the secret alone must not be enough. */
  readonly salt?: string | Uint8Array;
  /** What is sealed and whose it is: moved to another place, it does not open. */
  readonly about: string;
};

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

// What it is about is in the key already, and in the tag so that the cipher's own promise covers it too.
const keyOf = ({ secret, salt = '', about }: SealKey): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, about, KEY_BYTES));

/**
 * Seals a text, so that it can be kept where others read. Sealed twice, it looks different.
 * @example const sealedToken = seal({ secret: sessionValue, about: 'hub session token' }, token);
 */
export function seal(key: SealKey, plain: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(key), nonce).setAAD(Buffer.from(key.about));
  const sealed = [nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat(sealed).toString('base64url');
}

/**
 * The text that was sealed, or nothing where the key is another or the seal was touched.
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
