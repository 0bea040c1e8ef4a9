import { createPrivateKey, type KeyObject } from 'node:crypto';
import { type SealKey, seal, unseal } from '../../../shared/access/seal.ts';
import { settings } from '../settings.ts';

// The key of a vault session opens with two things that are never together in the store: the secret half of the
// session's id, of which the store has a hash, and the epoch of this deployment or start, which is in the
// environment. A new epoch strands every such session. The PIN is not kept at all, and what it takes to open a
// certificate file with it, up to seconds where the file asks for it, is paid once a session and not once a signature.
const sealKeyFor = (secret: string): SealKey => ({
  secret,
  salt: settings['Sessions:Epoch'],
  about: 'sinete session key',
});

/** The private key as it may be kept. */
export function sealPrivateKey(key: KeyObject, secret: string): string {
  const pkcs8 = key.export({ format: 'der', type: 'pkcs8' });
  const sealed = seal(sealKeyFor(secret), pkcs8.toString('base64'));
  pkcs8.fill(0);
  return sealed;
}

/** The private key, or nothing where the secret or the epoch is another. */
export function openPrivateKey(text: string, secret: string): KeyObject | undefined {
  const pkcs8 = unseal(sealKeyFor(secret), text);
  return pkcs8 === undefined
    ? undefined
    : createPrivateKey({ key: Buffer.from(pkcs8, 'base64'), format: 'der', type: 'pkcs8' });
}
