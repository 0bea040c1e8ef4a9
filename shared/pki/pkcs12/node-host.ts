import { createDecipheriv, hash, pbkdf2 } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Bytes } from '../../der/bytes.ts';
import type { Pkcs12Host } from './host.ts';
import { rehash, repeatInTurns } from './rehash.ts';

const pbkdf2Async = promisify(pbkdf2);

/** The opener's cryptography by node:crypto. RC2, which that no longer has, is loaded for files that need it. */
export const nodeHost: Pkcs12Host = {
  pbkdf2: ({ digest, password, salt, rounds, bytes }) => pbkdf2Async(password, salt, rounds, bytes, digest),

  async decrypt(cipher, key, iv, data) {
    if (cipher === 'rc2-cbc') return (await import('./rc2.ts')).decryptRc2(key, iv, data);
    const decipher = createDecipheriv(cipher, key, iv);
    try {
      return Buffer.concat([decipher.update(data), decipher.final()]);
    } catch {
      return undefined;
    }
  },

  async hashRounds(digest, message, rounds) {
    const again = (start: Bytes, count: number): Bytes =>
      rehash(digest, start, count) ?? rehashByNode(digest, start, count);
    return repeatInTurns(again, hash(digest, message, 'buffer'), rounds - 1, setImmediate);
  },
};

function rehashByNode(digest: string, start: Bytes, rounds: number): Bytes {
  let hashed = start;
  for (let round = 0; round < rounds; round++) hashed = hash(digest, hashed, 'buffer');
  return hashed;
}
