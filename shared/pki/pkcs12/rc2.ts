import rc2 from 'node-forge/lib/rc2.js';
import util from 'node-forge/lib/util.js';
import { type Bytes, latin1Bytes, latin1Text } from '../../der/bytes.ts';

/** RC2 in CBC mode, which neither host has and old PKCS#12 files use. Undefined where the padding is wrong. */
export const decryptRc2 = (key: Bytes, iv: Bytes, data: Bytes): Bytes | undefined =>
  runCipher(rc2.createDecryptionCipher(latin1Text(key), key.length * 8), iv, data);

const BLOCK_BYTES = 8; // of RC2 and of DES

/** Runs a cipher of node-forge, which takes and gives binary text. Undefined where the padding is wrong. */
export function runCipher(
  cipher: ReturnType<typeof rc2.createDecryptionCipher>,
  iv: Bytes,
  data: Bytes,
): Bytes | undefined {
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
