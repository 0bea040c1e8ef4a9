import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  type DecipherGCM,
  type KeyObject,
  pbkdf2,
  randomBytes,
} from 'node:crypto';
import { promisify } from 'node:util';
import { chunksOf, type Source } from '../cms/input.ts';
import { DecryptionFailed, EncryptionRefused } from './errors.ts';

// Version 1: magic (8), version (1), nonce (12), ciphertext, tag (16). The tag authenticates the content alone.
const MAGIC = Buffer.from('BSENC\0\0\0', 'latin1');
const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = MAGIC.length + 1 + NONCE_BYTES;
const MAX_CONTENT_BYTES = 2 ** 36 - 32; // AES-GCM's own limit under one nonce

/**
 * Encrypts content as a password envelope (BSENC version 1), in a stream.
 * @example await pipeline(sealWithPassword(createReadStream('a.p7m'), key), createWriteStream('a.p7m.enc'));
 */
export async function* sealWithPassword(content: Source, key: KeyObject): AsyncGenerator<Buffer> {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  yield Buffer.concat([MAGIC, Buffer.from([VERSION]), nonce]);
  let bytes = 0;
  for await (const chunk of chunksOf(content)) {
    bytes += chunk.byteLength;
    if (bytes > MAX_CONTENT_BYTES)
      throw new EncryptionRefused(
        'too-large',
        `A password envelope holds at most ${MAX_CONTENT_BYTES} bytes.`,
      );
    yield cipher.update(chunk);
  }
  yield cipher.final();
  yield cipher.getAuthTag();
}

/**
 * Decrypts a password envelope. Release of unverified plaintext: the tag is at the end, so the envelope is read twice:
 *
 *   first reading   decrypt, throw the plaintext away, check the tag   -> refused here: nothing was released
 *   second reading  decrypt, release, check the tag again              -> refused here: the source changed between
 *
 * The caller gets no byte before the whole envelope is authenticated. A source that changes between the two readings
 * also ends in DecryptionFailed, but after release: give one that cannot change, such as a stored object.
 * @example await pipeline(openWithPassword(() => createReadStream('a.p7m.enc'), key), createWriteStream('a.p7m'));
 */
export async function* openWithPassword(open: () => Source, key: KeyObject): AsyncGenerator<Buffer> {
  for await (const _ of decrypt(open(), key));
  yield* decrypt(open(), key);
}

async function* decrypt(source: Source, key: KeyObject): AsyncGenerator<Buffer> {
  let decipher: DecipherGCM | undefined;
  let held: Buffer = Buffer.alloc(0); // the head until it is whole, then the last bytes received, which may be the tag
  for await (const chunk of chunksOf(source)) {
    let fresh = chunk;
    if (!decipher) {
      held = Buffer.concat([held, chunk]);
      if (held.length < HEAD_BYTES) continue;
      decipher = createDecipheriv('aes-256-gcm', key, readNonce(held), { authTagLength: TAG_BYTES });
      fresh = held.subarray(HEAD_BYTES);
      held = Buffer.alloc(0);
    }
    const ready = Math.max(0, fresh.length - TAG_BYTES);
    if (ready > 0 && held.length > 0) yield decipher.update(held);
    if (ready > 0) yield decipher.update(fresh.subarray(0, ready));
    held = ready > 0 ? Buffer.from(fresh.subarray(ready)) : Buffer.concat([held, fresh]);
    if (held.length > TAG_BYTES) {
      yield decipher.update(held.subarray(0, -TAG_BYTES));
      held = held.subarray(-TAG_BYTES);
    }
  }
  if (!decipher || held.length < TAG_BYTES)
    throw new DecryptionFailed('malformed', 'The file is shorter than a password envelope can be.');
  yield finishDecryption(decipher, held);
}

function finishDecryption(decipher: DecipherGCM, tag: Buffer): Buffer {
  try {
    return decipher.setAuthTag(tag).final();
  } catch {
    throw new DecryptionFailed(
      'wrong-key-or-changed',
      'The envelope does not open: the password or its salt is wrong, or the file was changed or cut short.',
    );
  }
}

function readNonce(head: Buffer): Buffer {
  if (!head.subarray(0, MAGIC.length).equals(MAGIC))
    throw new DecryptionFailed(
      'malformed',
      'The file is no password envelope: it does not begin with BSENC.',
    );
  const version = head[MAGIC.length];
  if (version !== VERSION)
    throw new DecryptionFailed(
      'unsupported',
      `Envelopes of version ${version} are not known here, only ${VERSION}.`,
    );
  return head.subarray(MAGIC.length + 1, HEAD_BYTES);
}

const ITERATIONS = 600_000; // fixed by the envelope's version 1
const KEY_BYTES = 32;
const MIN_SALT_BYTES = 16;

/**
 * Derives the key of a password (PBKDF2). It takes about half a second of one core: derive it once for many files.
 * The salt is not in the envelope: the reader must have both.
 * @example const key = await passwordKey(settings.password, Buffer.from(settings.salt, 'base64'));
 */
export async function passwordKey(password: string, salt: Uint8Array): Promise<KeyObject> {
  if (!password)
    throw new EncryptionRefused('password-empty', 'An empty password protects nothing: set one.');
  if (salt.length < MIN_SALT_BYTES)
    throw new EncryptionRefused(
      'salt-short',
      `A salt of ${salt.length} bytes is too short: use at least ${MIN_SALT_BYTES} random bytes.`,
    );
  return createSecretKey(await promisify(pbkdf2)(password, salt, ITERATIONS, KEY_BYTES, 'sha256'));
}
