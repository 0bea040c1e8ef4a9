import { createSecretKey, type KeyObject, pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import { EncryptionRefused } from './errors.ts';

const ITERATIONS = 600_000; // fixed by the envelope's version 1
const KEY_BYTES = 32;
const MIN_SALT_BYTES = 16;

/**
 * Derives the key of a password (PBKDF2). It takes about half a second of one core: derive it once for many files.
 * The salt is not in the envelope: the reader must have both.
 * @example const key = await passwordKey(settings.password, Buffer.from(settings.salt, 'base64'));
 */
export async function passwordKey(password: string, salt: Uint8Array): Promise<KeyObject> {
  if (!password)
    throw new EncryptionRefused('password-empty', 'An empty password protects nothing: set one.');
  if (salt.length < MIN_SALT_BYTES)
    throw new EncryptionRefused(
      'salt-short',
      `A salt of ${salt.length} bytes is too short: use at least ${MIN_SALT_BYTES} random bytes.`,
    );
  return createSecretKey(await promisify(pbkdf2)(password, salt, ITERATIONS, KEY_BYTES, 'sha256'));
}
