import { randomBytes } from 'node:crypto';
import { KEY_ID, type Ring, type RingKey } from '../settings/keyring.ts';
import { decrypt, decryptWith, encrypt, encryptWith, type SealKey, VERSION } from './seal.ts';

// Every value has a key of its own, which encrypts it; a key of the ring encrypts only that one:
//
//   s1.<key id>.WRAPPED.BODY      WRAPPED = the value's key by the key of the ring      BODY = the value by its key
//
// So another key of the ring takes a value over by its 32 bytes, without its purpose and without seeing it.

/** The record that a value is sealed for, and its second factor where it has one. */
export type Sealed = Omit<SealKey, 'secret'>;

const VALUE_KEY_BYTES = 32;
// 12 bytes of a nonce, the key, 16 of a tag, in base64url.
const WRAPPED_CHARACTERS = 80;

const FORM = `${VERSION}\\.(${KEY_ID})\\.([\\w-]{${WRAPPED_CHARACTERS}})\\.([\\w-]+)`;
const ENVELOPE = new RegExp(`^${FORM}$`);
const EVERY_ENVELOPE = new RegExp(`(?<![\\w.-])${FORM}`, 'g');

// The id is authenticated: a value cannot be made to name another key.
const aboutWrapped = (keyId: string): string => `${VERSION}.${keyId}`;

/** Seals a value under a key of the ring. Each call gives a different result. */
export function sealUnder({ id, key }: RingKey, sealed: Sealed, plain: string | Uint8Array): string {
  const secret = randomBytes(VALUE_KEY_BYTES);
  const wrapped = encryptWith(key, aboutWrapped(id), secret);
  return `${VERSION}.${id}.${wrapped}.${encrypt({ ...sealed, secret }, plain)}`;
}

/** The id of the key that opens a value; undefined where it is not sealed under a ring. */
export const keyIdOf = (text: string): string | undefined => ENVELOPE.exec(text)?.[1];

/** Opens a value. Undefined where it was changed, or sealed for another record. */
export function openUnder({ id, key }: RingKey, sealed: Sealed, text: string): Buffer | undefined {
  const [, keyId, wrapped = '', body = ''] = ENVELOPE.exec(text) ?? [];
  const secret = keyId === id ? decryptWith(key, aboutWrapped(id), wrapped) : undefined;
  return secret && decrypt({ ...sealed, secret }, body);
}

/** The ids of the keys that a text names, anywhere in it. */
export const keyIdsIn = (text: string): Set<string> =>
  new Set([...text.matchAll(EVERY_ENVELOPE)].map(([, keyId = '']) => keyId));

/** The same value under another key of the ring. Undefined where the present one does not open it. */
export function rewrap(from: RingKey, to: RingKey, text: string): string | undefined {
  const [, keyId, wrapped = '', body = ''] = ENVELOPE.exec(text) ?? [];
  const secret = keyId === from.id ? decryptWith(from.key, aboutWrapped(from.id), wrapped) : undefined;
  return secret && `${VERSION}.${to.id}.${encryptWith(to.key, aboutWrapped(to.id), secret)}.${body}`;
}

/** A text with every value in it that a key of the ring opens under this one. */
export const rewrapAll = (ring: Ring, to: RingKey, text: string): string =>
  text.replace(EVERY_ENVELOPE, (value, keyId: string) => {
    const from = keyId === to.id ? undefined : ring.find(({ id }) => id === keyId);
    return (from && rewrap(from, to, value)) ?? value;
  });
