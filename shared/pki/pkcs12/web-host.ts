import type { Bytes } from '../../der/bytes.ts';
import { UnsupportedPkcs12 } from './errors.ts';
import type { Pkcs12Host } from './host.ts';

const DIGESTS: Readonly<Record<string, string>> = {
  sha1: 'SHA-1',
  sha256: 'SHA-256',
  sha384: 'SHA-384',
  sha512: 'SHA-512',
};

/**
 * The opener's cryptography by WebCrypto. The old ciphers and the repeated hash, which that lacks and most files of
 * Brazilian authorities need, are chunks of their own, loaded for files that need them.
 */
export const webHost: Pkcs12Host = {
  async pbkdf2({ digest, password, salt, rounds, bytes }) {
    const hash = nameOf(digest);
    const secret = await crypto.subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits']);
    const algorithm = { name: 'PBKDF2', salt, iterations: rounds, hash };
    return new Uint8Array(await crypto.subtle.deriveBits(algorithm, secret, bytes * 8));
  },

  async decrypt(cipher, key, iv, data) {
    if (cipher === 'rc2-cbc') return (await import('./rc2.ts')).decryptRc2(key, iv, data);
    if (cipher === 'des-ede3-cbc') return (await import('./triple-des.ts')).decryptTripleDes(key, iv, data);
    const imported = await importAes(key);
    try {
      return new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-CBC', iv }, imported, data));
    } catch {
      return undefined;
    }
  },

  async hashRounds(digest, message, rounds) {
    const { repeatInTurns, rehash } = await import('./rehash.ts');
    const again = (start: Bytes, count: number): Bytes =>
      rehash(digest, start, count) ?? unsupported(`the hash ${digest}`);
    const first = new Uint8Array(await crypto.subtle.digest(nameOf(digest), message));
    return repeatInTurns(again, first, rounds - 1, () => new Promise((resume) => setTimeout(resume)));
  },
};

const nameOf = (digest: string): string => DIGESTS[digest] ?? unsupported(`the hash ${digest}`);

// Chromium has no AES with 192 bits.
const importAes = (key: Bytes) =>
  crypto.subtle
    .importKey('raw', key, 'AES-CBC', false, ['decrypt'])
    .catch(() => unsupported(`AES with ${key.length * 8} bits`));

function unsupported(what: string): never {
  throw new UnsupportedPkcs12('algorithm', `it uses ${what}, which browsers lack.`);
}
