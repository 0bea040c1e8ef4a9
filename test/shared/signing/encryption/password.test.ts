import { createDecipheriv, createSecretKey, pbkdf2Sync, randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  openWithPassword,
  passwordKey,
  sealWithPassword,
} from '../../../../shared/signing/encryption/password-envelope.ts';
import { runs } from '../../../faults/fuzz.ts';

const salt = randomBytes(16);
const content = randomBytes(10_000);
const key = createSecretKey(randomBytes(32));
const failure = (reason: string) => expect.objectContaining({ name: 'DecryptionFailed', reason });

describe('a password envelope', () => {
  let envelope: Buffer;
  beforeAll(async () => {
    envelope = await buffer(sealWithPassword(content, key));
  });

  test('has the layout of BSENC version 1, which plain AES-256-GCM opens', () => {
    expect(envelope).toHaveLength(content.length + 37);
    expect(envelope.subarray(0, 9)).toEqual(Buffer.from('BSENC\0\0\0\x01', 'latin1'));
    const decipher = createDecipheriv('aes-256-gcm', key, envelope.subarray(9, 21));
    decipher.setAuthTag(envelope.subarray(-16));
    expect(Buffer.concat([decipher.update(envelope.subarray(21, -16)), decipher.final()])).toEqual(content);
  });

  test('has the key that PBKDF2-HMAC-SHA256 with 600,000 rounds gives', async () => {
    const made = await passwordKey('senha com acentuação', salt);
    expect(made.export()).toEqual(pbkdf2Sync('senha com acentuação', salt, 600_000, 32, 'sha256'));
  });

  test('refuses an empty password and a short salt', async () => {
    await expect(passwordKey('', salt)).rejects.toThrow(
      expect.objectContaining({ reason: 'password-empty' }),
    );
    await expect(passwordKey('x', randomBytes(15))).rejects.toThrow(
      expect.objectContaining({ reason: 'salt-short' }),
    );
  });

  test('gives its content back, whatever its size and however it comes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 200 }),
        fc.integer({ min: 1, max: 50 }),
        async (bytes, size) => {
          const sealed = await buffer(sealWithPassword(inPieces(Buffer.from(bytes), size), key));
          expect(await buffer(openWithPassword(() => inPieces(sealed, size), key))).toEqual(
            Buffer.from(bytes),
          );
        },
      ),
      { numRuns: runs(60) },
    );
  });

  test('never has the same bytes twice', async () => {
    expect(await buffer(sealWithPassword(content, key))).not.toEqual(envelope);
  });

  test('releases not one byte when any byte of it is another', async () => {
    for (let at = 0; at < envelope.length; at += 501) {
      const changed = Buffer.from(envelope);
      changed[at] = (changed[at] ?? 0) ^ 1;
      let released = 0;
      const reading = (async () => {
        for await (const piece of openWithPassword(() => inPieces(changed, 1000), key))
          released += piece.length;
      })();
      await expect(reading).rejects.toThrow(expect.objectContaining({ name: 'DecryptionFailed' }));
      expect(released).toBe(0);
    }
  });

  test('is refused at the end when the source changed between its two readings', async () => {
    const changed = Buffer.from(envelope);
    changed[5000] = (changed[5000] ?? 0) ^ 1;
    const readings = [envelope, changed];
    await expect(buffer(openWithPassword(() => readings.shift() ?? changed, key))).rejects.toThrow(
      failure('wrong-key-or-changed'),
    );
  });

  test('differs from a file that is none, and from another version', async () => {
    const open = (bytes: Buffer) => buffer(openWithPassword(() => bytes, key));
    await expect(open(Buffer.from('a file that is something else, and long enough'))).rejects.toThrow(
      failure('malformed'),
    );
    await expect(open(envelope.subarray(0, 30))).rejects.toThrow(failure('malformed'));
    await expect(open(Buffer.alloc(0))).rejects.toThrow(failure('malformed'));
    const later = Buffer.from(envelope);
    later[8] = 2;
    await expect(open(later)).rejects.toThrow(failure('unsupported'));
    const other = createSecretKey(randomBytes(32));
    await expect(buffer(openWithPassword(() => envelope, other))).rejects.toThrow(
      failure('wrong-key-or-changed'),
    );
  });
});

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
