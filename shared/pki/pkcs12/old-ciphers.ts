import des from 'node-forge/lib/des.js';
import rc2 from 'node-forge/lib/rc2.js';
import util from 'node-forge/lib/util.js';
import { type Bytes, latin1Bytes, latin1Text } from '../../der/bytes.ts';

// Ciphers that hosts lack and old PKCS#12 files use. Loaded only for files that need them.

/** RC2 in CBC mode, which neither host has. Undefined where the padding is wrong. */
export const decryptRc2 = (key: Bytes, iv: Bytes, data: Bytes): Bytes | undefined =>
  run(rc2.createDecryptionCipher(latin1Text(key), key.length * 8), iv, data);

/** Triple DES in CBC mode, which WebCrypto lacks. Undefined where the padding is wrong. */
export const decryptTripleDes = (key: Bytes, iv: Bytes, data: Bytes): Bytes | undefined =>
  run(des.createDecryptionCipher(latin1Text(key), 'CBC'), iv, data);

const BLOCK_BYTES = 8; // of RC2 and of DES

type ForgeCipher = ReturnType<typeof rc2.createDecryptionCipher>;

function run(cipher: ForgeCipher, iv: Bytes, data: Bytes): Bytes | undefined {
  if (!data.length || data.length % BLOCK_BYTES) return undefined;
  cipher.start(latin1Text(iv));
  cipher.update(util.createBuffer(latin1Text(data)));
  // Its own check of the padding looks at the last byte only.
  cipher.finish(() => true);
  return withoutPadding(latin1Bytes(cipher.output.getBytes()));
}

function withoutPadding(padded: Bytes): Bytes | undefined {
  const count = padded.at(-1) ?? 0;
  if (count < 1 || count > BLOCK_BYTES) return undefined;
  const isPadding = padded.subarray(-count).every((byte) => byte === count);
  return isPadding ? padded.subarray(0, -count) : undefined;
}
