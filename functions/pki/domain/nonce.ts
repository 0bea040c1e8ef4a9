import { randomBytes } from 'node:crypto';
import { collection } from '../../../shared/store/collection.ts';
import { settings } from '../settings.ts';

/** A nonce that was given out. Being here is what makes it ours; being used will be a change of this item. */
export type Nonce = { readonly nonce: string; readonly expiresAtMs: number };

const NONCE_BYTES = 32;

export const nonces = collection<Nonce, string>({
  service: 'pki',
  name: 'nonce',
  id: (item) => item.nonce,
  key: (nonce) => ({ pk: `NONCE#${nonce}`, sk: 'NONCE' }),
  indexed: (item) => ({ ttl: Math.ceil(item.expiresAtMs / 1000) }),
});

/** A fresh nonce, remembered so that it can be used once. */
export async function giveNonce(now = Date.now()): Promise<string> {
  const nonce = randomBytes(NONCE_BYTES).toString('base64');
  await nonces.create({ nonce, expiresAtMs: now + settings['Authentication:NonceLifetime'] * 1000 });
  return nonce;
}
