import rc2 from 'node-forge/lib/rc2.js';
import util from 'node-forge/lib/util.js';

const BLOCK_BYTES = 8;

/**
 * RC2 in CBC mode, which node:crypto no longer has and old PKCS#12 files still use; undefined where the padding
 * is wrong. Loaded only for files that need it.
 */
export function decryptRc2(key: Buffer, iv: Buffer, data: Buffer): Buffer | undefined {
  if (!data.length || data.length % BLOCK_BYTES) return undefined;
  const cipher = rc2.createDecryptionCipher(key.toString('latin1'), key.length * 8);
  cipher.start(iv.toString('latin1'));
  cipher.update(util.createBuffer(data.toString('latin1')));
  // Its own check of the padding looks at the last byte only.
  cipher.finish(() => true);
  return withoutPadding(Buffer.from(cipher.output.getBytes(), 'latin1'));
}

function withoutPadding(padded: Buffer): Buffer | undefined {
  const count = padded.at(-1) ?? 0;
  if (count < 1 || count > BLOCK_BYTES) return undefined;
  const isPadding = padded.subarray(-count).every((byte) => byte === count);
  return isPadding ? padded.subarray(0, -count) : undefined;
}
