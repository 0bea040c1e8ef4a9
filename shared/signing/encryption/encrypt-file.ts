import type { KeyObject } from 'node:crypto';
import type { Certificate } from '../../pki/certificate/certificate.ts';
import { readChunks } from '../read-chunks.ts';
import { writeWhole } from '../write-whole.ts';
import { sealForRecipients } from './enveloped.ts';
import { passwordKey, sealWithPassword } from './password-envelope.ts';

/** Who can open the envelope: whoever has the password and its salt, or the key of a certificate. */
export type Recipient = PasswordRecipient | { readonly certificate: Certificate };

export type PasswordRecipient = { readonly password: string; readonly salt: Uint8Array };

/**
 * Encrypts one file on disk to another, which is written whole or not at all: a password envelope (BSENC version 1), or
 * a CMS EnvelopedData. Content of any size takes the same memory. The key of a password is derived once per object: use
 * the same object for many files.
 * @example await encryptFile('a.p7m', 'a.p7m.enc', profile.encryption);
 */
export async function encryptFile(input: string, output: string, recipient: Recipient): Promise<void> {
  const content = readChunks(input);
  await writeWhole(
    output,
    'certificate' in recipient
      ? sealForRecipients(content, [recipient.certificate])
      : sealWithPassword(content, await keyOf(recipient)),
  );
}

// Held by the recipient's object, and with it collected: no password is a key of this map.
const derivedKeys = new WeakMap<PasswordRecipient, Promise<KeyObject>>();

function keyOf(recipient: PasswordRecipient): Promise<KeyObject> {
  const derived = derivedKeys.get(recipient) ?? passwordKey(recipient.password, recipient.salt);
  derivedKeys.set(recipient, derived);
  return derived;
}
