import type { Bytes } from '../bytes.ts';
import { childrenOf, countOf, type Element, Malformed, octetsOf, oidOf, TAG } from '../der.ts';
import { Pkcs12Refused } from './errors.ts';
import type { PasswordReadings } from './passwords.ts';

const PBES2 = '1.2.840.113549.1.5.13';
const PBKDF2 = '1.2.840.113549.1.5.12';
const TRIPLE_DES = '1.2.840.113549.3.7';
const AES_BITS: Readonly<Record<string, number>> = {
  '2.16.840.1.101.3.4.1.2': 128,
  '2.16.840.1.101.3.4.1.22': 192,
  '2.16.840.1.101.3.4.1.42': 256,
};
const PRF_OF: Readonly<Record<string, string>> = {
  '1.2.840.113549.2.7': 'SHA-1',
  '1.2.840.113549.2.9': 'SHA-256',
  '1.2.840.113549.2.10': 'SHA-384',
  '1.2.840.113549.2.11': 'SHA-512',
};

/** Most programs derive with 2,000 rounds and NSS with 600,000. More than this would hold the page for minutes. */
export const MAX_ROUNDS = 5_000_000;

/** Tries one reading of the password after another; undefined where none gives a right padding. */
export async function decrypt(
  algorithm: Element | undefined,
  data: Bytes,
  passwords: PasswordReadings,
): Promise<Bytes | undefined> {
  const [oid, parameters] = childrenOf(algorithm, TAG.SEQUENCE);
  const isModern = oidOf(oid) === PBES2;
  const open = isModern
    ? pbes2(parameters)
    : await (await import('./legacy.ts')).pkcs12Pbe(oidOf(oid), parameters);
  for (const reading of isModern ? passwords.narrow : passwords.wide) {
    const plain = await open(reading, data);
    if (plain) return plain;
  }
  return undefined;
}

export type Open = (password: Bytes, data: Bytes) => Promise<Bytes | undefined>;

function pbes2(parameters: Element | undefined): Open {
  const [derivation, cipher] = childrenOf(parameters, TAG.SEQUENCE);
  const [cipherOid, ivElement] = childrenOf(cipher, TAG.SEQUENCE);
  const name = oidOf(cipherOid);
  const iv = octetsOf(ivElement);
  const bits = AES_BITS[name];
  if (bits) return async (password, data) => aes(await stretched(derivation, password, bits), iv, data);
  if (name !== TRIPLE_DES) throw new Pkcs12Refused('unsupported');
  return async (password, data) => {
    const { tripleDes } = await import('./legacy.ts');
    return tripleDes(await stretched(derivation, password, 192), iv, data);
  };
}

async function stretched(derivation: Element | undefined, password: Bytes, bits: number): Promise<Bytes> {
  const [oid, parameters] = childrenOf(derivation, TAG.SEQUENCE);
  if (oidOf(oid) !== PBKDF2) throw new Pkcs12Refused('unsupported');
  const [salt, rounds, ...rest] = childrenOf(parameters, TAG.SEQUENCE);
  const prf = rest.find(({ tag }) => tag === TAG.SEQUENCE); // absent means SHA-1; a key length may stand before it
  const hash = prf ? PRF_OF[oidOf(prf.children[0])] : 'SHA-1';
  const iterations = countOf(rounds);
  if (!hash || iterations > MAX_ROUNDS) throw new Pkcs12Refused('unsupported');
  if (iterations < 1) throw new Malformed('A key is derived in no rounds at all.');
  const secret = await crypto.subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits']);
  return new Uint8Array(
    await crypto.subtle.deriveBits({ name: 'PBKDF2', salt: octetsOf(salt), iterations, hash }, secret, bits),
  );
}

const AES_BLOCK_BYTES = 16;

async function aes(key: Bytes, iv: Bytes, data: Bytes): Promise<Bytes | undefined> {
  if (iv.length !== AES_BLOCK_BYTES) throw new Malformed('An initialization vector has the wrong length.');
  const imported = await importAes(key);
  try {
    return new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-CBC', iv }, imported, data));
  } catch {
    return undefined; // The padding is wrong, or the data is no whole number of blocks.
  }
}

// Chromium knows no AES with 192 bits.
async function importAes(key: Bytes): Promise<CryptoKey> {
  try {
    return await crypto.subtle.importKey('raw', key, 'AES-CBC', false, ['decrypt']);
  } catch (cause) {
    throw new Pkcs12Refused('unsupported', { cause });
  }
}
