import des from 'node-forge/lib/des.js';
import { type Bytes, latin1Text } from '../../der/bytes.ts';
import { runCipher } from './rc2.ts';

// Apart from RC2, so that the bundle of a function does not carry it: node:crypto has this cipher.

/** Triple DES in CBC mode, which WebCrypto lacks. Undefined where the padding is wrong. */
export const decryptTripleDes = (key: Bytes, iv: Bytes, data: Bytes): Bytes | undefined =>
  runCipher(des.createDecryptionCipher(latin1Text(key), 'CBC'), iv, data);
