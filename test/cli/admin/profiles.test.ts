import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openProfile } from '../../../functions/batch/profiles/domain/open-profile.ts';
import { writePkcs12 } from '../../../shared/pki/pkcs12/write.ts';
import { testPki } from '../../certificates/pki.ts';
import { newName, stored } from '../../functions/batch/profiles/a-profile.ts';
import { ownStores } from '../../functions/own-stores.ts';
import { forFile } from '../../runner/for-file.ts';
import { commandsOf } from './in-process.ts';

const PIN = '1234';
const SECRET = 'a-secret-password';
const encryption = { password: SECRET, salt: Buffer.alloc(16, 1).toString('base64') };

const folder = mkdtempSync(join(tmpdir(), 'sinete-admin-profiles-'));
const p12 = join(folder, 'holder.p12');
await forFile(ownStores());
writeFileSync(p12, await writePkcs12(testPki().holder(), PIN, 2048));
beforeEach(() => {
  vi.stubEnv('THE_PIN', PIN);
});
afterEach(() => {
  vi.unstubAllEnvs();
});
afterAll(() => rmSync(folder, { recursive: true }));

const batch = commandsOf('batch');
const done = (...words: string[]) => batch.done(['profiles', ...words], { pin: { variable: 'THE_PIN' } });
const refused = (...words: string[]) =>
  batch.refused(['profiles', ...words], { pin: { variable: 'THE_PIN' } });

function fileOf(content: unknown): string {
  const path = join(folder, 'profile.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

describe('npm run admin -- profiles', () => {
  test('put warns of a profile with an approval rule whose jobs nothing measures', async () => {
    const name = newName();
    const approvers = [{ name: 'Ana Souza', email: 'ana@sandbox.example', cpf: '52998224725' }];
    const approval = { quorum: 1, approvers };
    expect(await done('put', fileOf({ name, approval }))).toMatch(/approval\.content-unmeasured/);
    expect(await done('put', fileOf({ name, checkCnab240: true }))).not.toMatch(/Warning/);
    expect(await done('put', fileOf({ name, checkCnab240: false }))).toMatch(/Set checkCnab240 to true/);
    await done('remove', name);
  });

  test('makes a profile, gives it a key, shows it without secrets, and removes it', async () => {
    const name = newName();
    expect(await done('put', fileOf({ name, encryption }))).toBe(
      `Created ${name}. Give it its key: npm run admin -- profiles key ${name} FILE.p12`,
    );
    expect(await done('list')).toContain(`${name}  Local; format by extension; degraded: It has no key.`);
    expect(await done('key', name.toUpperCase(), p12)).toMatch(
      /signs with the certificate of .*JOSÉ DA CONCEIÇÃO TESTE.*The password is not kept/,
    );
    const profile = await stored(name);
    const { signer } = await openProfile(profile);
    expect(signer?.certificate.publicKey.equals(testPki().holder().certificate.publicKey)).toBe(true);

    const [listed, shown] = [await done('list'), await done('show', name.toUpperCase())];
    expect(listed).toContain(`${name}  Local; format by extension`);
    expect(listed).not.toContain('degraded');
    expect(JSON.parse(shown)).toMatchObject({ name, degraded: false, encryption: { method: 'Password' } });
    for (const secret of [SECRET, encryption.salt, profile.sealedKey ?? ''])
      expect(listed + shown).not.toContain(secret);

    expect(await done('remove', name)).toContain(`Removed ${name}`);
    expect(await refused('show', name)).toContain(`There is no profile "${name}"`);
  });

  test('says which fields an edit changed, or that it changed none', async () => {
    const name = newName();
    await done('put', fileOf({ name }));
    expect(await done('put', fileOf({ name, verify: false, format: 'Cades' }))).toBe(
      `Changed ${name}: verify, format.`,
    );
    expect(await done('disable', name)).toBe(`Changed ${name}: enabled.`);
    expect(await done('disable', name)).toBe(`${name} is so already.`);
    expect(await done('list')).toContain(`${name}  Local; Cades; disabled`);
    expect(await done('enable', name)).toBe(`Changed ${name}: enabled.`);
    expect(await done('default', name)).toBe(`Changed ${name}: default.`);
    expect(await done('list')).toContain(`${name}  Local; Cades; default`);
    expect(await refused('remove', name)).toContain('is the default profile');
  });

  test('names the file and the field that does not hold, and repeats no secret', async () => {
    const message = await refused(
      'put',
      fileOf({ name: 'p', verify: 'no', encryption: { password: SECRET } }),
    );
    expect(message).toBe(
      `${join(folder, 'profile.json')}: verify: must be true or false; encryption.salt: is required with a password`,
    );
    expect(await refused('put', fileOf(`{ "password": "${SECRET}`))).toMatch(
      /profile\.json: It is not JSON\.$/,
    );
    expect(await refused('put', fileOf([]))).toContain('profile.json: the file: ');
    expect(await refused('put', join(folder, 'none.json'))).toContain('cannot be read');
    expect(await refused('put', fileOf(' '.repeat(200_001)))).toContain('At most 200000 are read');
  });

  test('keeps the key that a profile has when another does not open', async () => {
    const name = newName();
    await done('put', fileOf({ name }));
    await done('key', name, p12);
    const before = await stored(name);
    vi.stubEnv('THE_PIN', 'wrong');
    expect(await refused('key', name, p12)).toContain('holder.p12: The password does not open');
    vi.stubEnv('THE_PIN', PIN);
    expect(await refused('key', name, fileOf('no p12'))).toContain('not a whole PKCS#12 file');
    expect(await stored(name)).toEqual(before);
    expect(await refused('key', newName(), p12)).toContain('There is no profile');
  });

  test('warns of a key whose certificate has expired, and lists the profile with it', async () => {
    const name = newName();
    const change = { notBeforeMs: Date.UTC(2020, 0, 1), notAfterMs: Date.UTC(2021, 2, 1) };
    const old = join(folder, 'old.p12');
    writeFileSync(old, await writePkcs12(testPki().holder({ change }), PIN, 2048));
    await done('put', fileOf({ name }));
    const warning = 'Its certificate expired on 2021-03-01. Give it a new key.';
    expect((await done('key', name, old)).split('\n').at(-1)).toBe(`Warning: ${warning}`);
    expect(await done('list')).toContain(`${name}  Local; format by extension; ${warning}`);
    expect(await done('key', name, p12)).not.toContain('Warning');
  });

  test('does not store a key without Sealing:Keys', async () => {
    const name = newName();
    await done('put', fileOf({ name }));
    vi.stubEnv('Sealing__Keys', '');
    await expect(done('key', name, p12)).rejects.toThrow('Sealing:Keys (Sealing__Keys) is not set');
    expect((await stored(name)).sealedKey).toBeUndefined();
  });
});
