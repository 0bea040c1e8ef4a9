import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from 'vitest';
import { writePem } from '../../../../shared/pki/pem.ts';
import { encryptFile } from '../../../../shared/signing/encryption/encrypt-file.ts';
import { openEnveloped } from '../../../../shared/signing/encryption/open-enveloped.ts';
import {
  ENVELOPE_BYTES,
  openWithPassword,
  passwordKey,
} from '../../../../shared/signing/encryption/password-envelope.ts';
import { pki } from '../cms/fixtures.ts';
import { folder, hasOpenssl, openssl } from '../cms/openssl.ts';

const files = folder();
afterAll(() => files.remove());

// Several chunks, each different: a chunk that is used after it was overwritten shows.
const content = randomBytes(200_001);
const input = files.file('data.bin.p7m', content);
const output = files.path('data.bin.p7m.enc');
const holder = pki.holder();

describe('a file on disk is encrypted to another', () => {
  test('for a password and its salt, whose key is derived once for many files', async () => {
    const recipient = { password: 'uma senha', salt: randomBytes(16) };
    const key = await passwordKey(recipient.password, recipient.salt);
    let derivations = 0;
    const counted = {
      ...recipient,
      get password() {
        derivations++;
        return recipient.password;
      },
    };
    for (const file of [input, files.file('empty', '')]) {
      await encryptFile(file, output, counted);
      const envelope = readFileSync(output);
      expect(envelope).toHaveLength(readFileSync(file).length + ENVELOPE_BYTES);
      expect(await buffer(openWithPassword(() => envelope, key))).toEqual(readFileSync(file));
    }
    expect(derivations).toBe(1);
  });

  test.skipIf(!hasOpenssl)('for a certificate, which openssl opens', async () => {
    await encryptFile(input, output, { certificate: holder.certificate });
    expect(await buffer(openEnveloped(readFileSync(output), holder))).toEqual(content);
    const opened = openssl(
      ...['cms', '-decrypt', '-binary', '-inform', 'DER', '-in', output, '-out', files.path('opened')],
      ...['-recip', files.file('recip.pem', writePem('CERTIFICATE', holder.certificate.der))],
      ...['-inkey', files.file('key.pem', holder.privateKey.export({ format: 'pem', type: 'pkcs8' }))],
    );
    expect(opened).toMatchObject({ ok: true });
    expect(readFileSync(files.path('opened'))).toEqual(content);
  });

  test('and leaves nothing where that fails', async () => {
    const to = files.path('half.enc');
    const failing = [
      encryptFile(files.path('missing'), to, { certificate: holder.certificate }),
      encryptFile(input, to, { certificate: pki.holder({ key: 'p256' }).certificate }),
      encryptFile(input, to, { password: '', salt: randomBytes(16) }),
      encryptFile(input, to, { password: 'x', salt: randomBytes(8) }),
    ];
    const reasons = (await Promise.allSettled(failing)).map((one) =>
      one.status === 'rejected' ? (one.reason.reason ?? one.reason.code) : 'encrypted',
    );
    expect(reasons).toEqual(['ENOENT', 'recipient-key', 'password-empty', 'salt-short']);
    expect(readdirSync(files.path('')).filter((name) => name.startsWith('half'))).toEqual([]);
  });
});
