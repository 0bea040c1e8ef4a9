import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

/** The keys of an agent: `ed25519` signs its messages, `x25519` opens PINs that are sealed for it. */
export type KeyUse = 'ed25519' | 'x25519';

/** @example spkiOf(publicKey).toString('base64url') */
export const spkiOf = (key: KeyObject): Buffer => key.export({ type: 'spki', format: 'der' });

/** A public key as text. @example publicText(identity.publicKey) */
export const publicText = (key: KeyObject): string => spkiOf(key).toString('base64url');

/** A private key as text. @example privateText(identity.privateKey) */
export const privateText = (key: KeyObject): string =>
  key.export({ type: 'pkcs8', format: 'der' }).toString('base64url');

/**
 * The public key in a text, or nothing where the text is not a key of this kind.
 * @example const key = publicKeyIn(body.ed25519, 'ed25519') ?? refuse();
 */
export const publicKeyIn = (text: string, use: KeyUse): KeyObject | undefined =>
  keyOf(use, () => createPublicKey({ key: Buffer.from(text, 'base64url'), format: 'der', type: 'spki' }));

/**
 * The private key in a text, or nothing where the text is not a key of this kind.
 * @example const key = privateKeyIn(identity.ed25519, 'ed25519');
 */
export const privateKeyIn = (text: string, use: KeyUse): KeyObject | undefined =>
  keyOf(use, () => createPrivateKey({ key: Buffer.from(text, 'base64url'), format: 'der', type: 'pkcs8' }));

function keyOf(use: KeyUse, read: () => KeyObject): KeyObject | undefined {
  try {
    const key = read();
    return key.asymmetricKeyType === use ? key : undefined;
  } catch {
    return undefined;
  }
}
