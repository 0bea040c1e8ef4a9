import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { settings } from '../settings.ts';

// The PIN of a vault session opens with two things that are never together in the store: the secret half of the
// session's id, of which the store has a hash, and the epoch of this deployment or start, which is in the
// environment. A new epoch strands every such session.
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const keyFor = (secret: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, settings['Sessions:Epoch'], 'sinete session pin', 32));

/** The PIN as it may be kept. */
export function sealPin(pin: string, secret: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyFor(secret), nonce);
  const sealed = Buffer.concat([cipher.update(pin, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64');
}

/** The PIN, or nothing where the secret or the epoch is another. */
export function openPin(text: string, secret: string): string | undefined {
  const sealed = Buffer.from(text, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', keyFor(secret), sealed.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    const pin = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
    return Buffer.concat([pin, decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
