import { type SealKey, seal, unseal } from '../../../shared/seal/seal.ts';
import { settings } from '../settings.ts';

// The PIN of a vault session opens with two things that are never together in the store: the secret half of the
// session's id, of which the store has a hash, and the epoch of this deployment or start, which is in the
// environment. A new epoch strands every such session.
const keyFor = (secret: string): SealKey => ({
  secret,
  salt: settings['Sessions:Epoch'],
  about: 'sinete session pin',
});

/** The PIN as it may be kept. */
export const sealPin = (pin: string, secret: string): string => seal(keyFor(secret), pin);

/** The PIN, or nothing where the secret or the epoch is another. */
export const openPin = (text: string, secret: string): string | undefined => unseal(keyFor(secret), text);
