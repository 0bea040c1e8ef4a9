import { randomBytes } from 'node:crypto';
import { createReadStream, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { runOpen } from '../../../cli/open/run.ts';
import { writePem } from '../../../shared/pki/pem.ts';
import { writePkcs12 } from '../../../shared/pki/pkcs12/write.ts';
import { sealForRecipients } from '../../../shared/signing/encryption/enveloped.ts';
import { passwordKey, sealWithPassword } from '../../../shared/signing/encryption/password-envelope.ts';
import { signFile } from '../../../shared/signing/sign-file.ts';
import { writeWhole } from '../../../shared/signing/write-whole.ts';
import { keyOf, pki } from '../../shared/signing/cms/fixtures.ts';
import { hasOpenssl, openssl } from '../../shared/signing/cms/openssl.ts';

const folder = mkdtempSync(join(tmpdir(), 'sinete-open-'));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => {
  vi.unstubAllEnvs();
});
const path = (name: string) => join(folder, name);

const SALT = Buffer.from('sinete-local-salt').toString('base64');
const holder = pki.holder();
const other = pki.holder({ keyName: 'other' });

beforeAll(async () => {
  writeFileSync(path('data.bin'), randomBytes(100_000));
  writeFileSync(path('password'), 'a password\n');
  writeFileSync(path('wrong-password'), 'another password\n');
  writeFileSync(path('pin'), '1234\n');
  writeFileSync(path('wrong-pin'), '4321\n');
  for (const [name, who] of Object.entries({ holder, other }))
    writeFileSync(path(`${name}.p12`), await writePkcs12(who, '1234', 1000));
  const key = keyOf(holder);
  await signFile(path('data.bin'), path('data.bin.p7m'), { format: 'cades', key, signingTimeMs: Date.now() });
  const password = await passwordKey('a password', Buffer.from(SALT, 'base64'));
  const contentOf = (name: string) => createReadStream(path(name));
  const sealFor = (name: string) => sealForRecipients(contentOf(name), [holder.certificate]);
  await writeWhole(path('by-password.enc'), sealWithPassword(contentOf('data.bin.p7m'), password));
  await writeWhole(path('by-key.enc'), sealFor('data.bin.p7m'));
  await writeWhole(path('unsigned.enc'), sealFor('data.bin'));
});

async function open(...words: string[]) {
  const said: string[] = [];
  const complained: string[] = [];
  const code = await runOpen(words, {
    print: (text) => said.push(text),
    printError: (text) => complained.push(text),
  });
  return { code, out: said.join('\n'), error: complained.join('\n').replaceAll(`${folder}/`, '') };
}

const WITH_PASSWORD = ['--salt', SALT, '--password-file', path('password')];
const WITH_KEY = ['--key', path('holder.p12'), '--pin-file', path('pin')];

/** The file changed, under another name. */
function changed(name: string, change: (bytes: Buffer) => Buffer): string {
  writeFileSync(path(`changed-${name}`), change(Buffer.from(readFileSync(path(name)))));
  return path(`changed-${name}`);
}
const flip = (at: number) => (bytes: Buffer) => {
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return bytes;
};
const cut = (bytes: Buffer) => bytes.subarray(0, -100);

/** That it is refused in one line, and that nothing new is on the disk. */
async function refused(words: string[], complaint: RegExp): Promise<void> {
  const before = readdirSync(folder);
  const { code, out, error } = await open(...words);
  expect([code, out, error]).toEqual([1, '', expect.stringMatching(complaint)]);
  expect(error).not.toContain('\n');
  expect(readdirSync(folder)).toEqual(before);
}

describe('npm run open', () => {
  test.each([
    ['by-password.enc', WITH_PASSWORD, 'Opened with its password: no byte of the envelope was changed.'],
    ['by-key.enc', WITH_KEY, /^Opened with the key of .+\. The signature inside is intact\.$/],
  ])('opens %s to its name without .enc', async (name, words, said) => {
    const { code, out, error } = await open(path(name), ...words);
    expect([code, error]).toEqual([0, '']);
    const [written = '', told] = out.split('\n');
    expect(written).toBe(path(name.replace('.enc', '')));
    expect(told).toMatch(said);
    expect(readFileSync(written)).toEqual(readFileSync(path('data.bin.p7m')));
    rmSync(written);
  });

  test('takes the password and the PIN from the environment', async () => {
    vi.stubEnv('THE_PASSWORD', 'a password');
    vi.stubEnv('THE_PIN', '1234');
    const results = await Promise.all([
      open(path('by-password.enc'), '--salt', SALT, '--password-env', 'THE_PASSWORD', '--out', path('env-1')),
      open(path('by-key.enc'), '--key', path('holder.p12'), '--pin-env', 'THE_PIN', '--out', path('env-2')),
    ]);
    expect(results).toMatchObject([{ code: 0 }, { code: 0 }]);
    expect(readFileSync(path('env-1'))).toEqual(readFileSync(path('env-2')));
  });

  test('opens an envelope in PEM', async () => {
    const text = readFileSync(path('by-key.enc')).toString('base64').replace(/.{64}/g, '$&\n');
    writeFileSync(path('text.enc'), `-----BEGIN CMS-----\n${text}\n-----END CMS-----\n`);
    expect(await open(path('text.enc'), ...WITH_KEY, '--out', path('from-text'))).toMatchObject({ code: 0 });
    expect(readFileSync(path('from-text'))).toEqual(readFileSync(path('data.bin.p7m')));
  });

  test('is help when it is empty or asks for it', async () => {
    for (const words of [[], ['--help']])
      expect(await open(...words)).toMatchObject({
        code: 0,
        out: expect.stringContaining('FILE.enc --salt'),
      });
  });

  test('writes over nothing without --force, and never over the envelope', async () => {
    writeFileSync(path('there'), 'mine');
    const words = [path('by-key.enc'), ...WITH_KEY, '--out', path('there')];
    await refused(words, /^there is there already\..* add --force\.$/);
    expect(readFileSync(path('there'), 'utf8')).toBe('mine');
    expect(await open(...words, '--force')).toMatchObject({ code: 0 });
    expect(readFileSync(path('there'))).toEqual(readFileSync(path('data.bin.p7m')));
    await refused([...words, '--force', '--out', path('by-key.enc')], /^by-key\.enc is the original/);
  });

  test.skipIf(!hasOpenssl)(
    'opens an AuthEnvelopedData of openssl, and nothing of one that was changed',
    async () => {
      const pem = path('holder.pem');
      writeFileSync(pem, writePem('CERTIFICATE', holder.certificate.der));
      const made = ['cms', '-encrypt', '-binary', '-aes-256-gcm', '-outform', 'DER', '-recip', pem];
      expect(openssl(...made, '-in', path('data.bin.p7m'), '-out', path('gcm.p7m.enc'))).toMatchObject({
        ok: true,
      });
      const { code, out, error } = await open(path('gcm.p7m.enc'), ...WITH_KEY);
      expect([code, error, out]).toEqual([0, '', expect.stringContaining('The signature inside is intact.')]);
      expect(readFileSync(path('gcm.p7m'))).toEqual(readFileSync(path('data.bin.p7m')));
      await refused(
        [changed('gcm.p7m.enc', flip(50_000)), ...WITH_KEY],
        /^changed-gcm\.p7m\.enc was not opened\. .* for another key, or was changed\.$/,
      );
    },
  );
});

describe('npm run open refuses, says why, and leaves nothing on the disk', () => {
  const WRONG =
    /was not opened\. The envelope does not open: the password or its salt is wrong, or .* cut short\.$/;

  test('a wrong password and a wrong salt', async () => {
    const file = path('by-password.enc');
    await refused([file, '--salt', SALT, '--password-file', path('wrong-password')], WRONG);
    const salt = randomBytes(16).toString('base64');
    await refused([file, '--salt', salt, '--password-file', path('password')], WRONG);
  });

  test.each([
    ['changed', flip(5000)],
    ['changed in its nonce', flip(10)],
    ['changed in its last byte', (bytes: Buffer) => flip(bytes.length - 1)(bytes)],
    ['cut short', cut],
  ])('a password envelope that is %s', async (_, change) => {
    await refused([changed('by-password.enc', change), ...WITH_PASSWORD], WRONG);
  });

  test('a key that it is not for, and a wrong PIN', async () => {
    const file = path('by-key.enc');
    const otherKey = ['--key', path('other.p12'), '--pin-file', path('pin')];
    await refused(
      [file, ...otherKey],
      /^by-key\.enc was not opened\. It is encrypted for other certificates/,
    );
    const wrongPin = ['--key', path('holder.p12'), '--pin-file', path('wrong-pin')];
    await refused([file, ...wrongPin], /^holder\.p12: The password does not open/);
  });

  test.each([
    ['cut short', cut, /^changed-by-key\.enc was not opened\. The envelope cannot be read\. .* cut short\.$/],
    [
      'changed in the middle',
      flip(50_000),
      /carries no intact signature.*To keep it all the same: --unverified$/,
    ],
    ['changed where the signature begins', flip(700), /carries no intact signature.*--unverified$/],
  ])('an envelope for a certificate that is %s', async (_, change, complaint) => {
    await refused([changed('by-key.enc', change), ...WITH_KEY], complaint);
  });

  test('one for a certificate whose content is not signed, unless it is asked for', async () => {
    await refused([path('unsigned.enc'), ...WITH_KEY], /carries no intact signature.*--unverified$/);
    const { code, out } = await open(path('unsigned.enc'), ...WITH_KEY, '--unverified');
    expect([code, out]).toEqual([0, expect.stringContaining('No signature inside was checked.')]);
    expect(readFileSync(path('unsigned'))).toEqual(readFileSync(path('data.bin')));
  });

  test.each([
    [
      'a file that is no envelope',
      ['data.bin', '--out', 'x'],
      /^data\.bin is no envelope: .* Is it encrypted\?$/,
    ],
    [
      'CMS that is signed and not encrypted',
      ['data.bin.p7m', '--out', 'x', ...WITH_KEY],
      /This is no EnvelopedData/,
    ],
    ['a file that is not there', ['nothing.enc'], /^nothing\.enc cannot be read: there is no such file\.$/],
    [
      'a name that does not end in .enc',
      ['data.bin'],
      /does not end in \.enc\. Name the file to write: --out FILE$/,
    ],
    ['no file', ['--salt', SALT], /^Name the file to open/],
    ['two files', ['by-key.enc', 'by-password.enc'], /^One file is opened at a time, and 2 were named\.$/],
    [
      'a password envelope without its salt',
      ['by-password.enc'],
      /Give the salt of its password: --salt BASE64$/,
    ],
    ['a salt that is no Base64', ['by-password.enc', '--salt', 'sal de cozinha'], /^--salt takes Base64/],
    [
      'an envelope for a certificate without a key',
      ['by-key.enc'],
      /Name its PKCS#12 file: --key FILE\.p12$/,
    ],
    [
      'the options of the other kind',
      ['by-key.enc', '--salt', SALT],
      /^--salt is for a password envelope, and by-key/,
    ],
    [
      'the same the other way round',
      ['by-password.enc', '--unverified'],
      /^--unverified is for an envelope for a cert/,
    ],
    [
      'a password in the open',
      ['by-password.enc', '--password=abc'],
      /^A password cannot be an arg(?!.*abc)/,
    ],
    [
      'a folder that does not exist',
      ['by-key.enc', '--out', 'nowhere/x', ...WITH_KEY],
      /^There is no folder nowhere/,
    ],
    ['an unknown option', ['by-key.enc', '--fource'], /^Unknown option '--fource'\. Did you mean --force\?/],
  ])('%s', async (_, words, complaint) => {
    const NAMES = [
      'data.bin',
      'data.bin.p7m',
      'by-key.enc',
      'by-password.enc',
      'nothing.enc',
      'x',
      'nowhere/x',
    ];
    await refused(
      words.map((word) => (NAMES.includes(word) ? path(word) : word)),
      complaint,
    );
  });
});
