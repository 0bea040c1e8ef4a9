import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { findAuthority, signerOf } from '../../../../functions/sandbox/authority/domain/authority.ts';
import { HOLDERS } from '../../../../functions/sandbox/authority/domain/holders.ts';
import { seedAuthority } from '../../../../infra/local/seed/authority.ts';
import { certificatesFromPem } from '../../../../shared/pki/pem.ts';
import { openPkcs12 } from '../../../../shared/pki/pkcs12/open.ts';
import { hasOpenssl, openssl } from '../../../shared/signing/cms/openssl.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'sinete-pki-'));
const pki = (...path: string[]) => join(dataDir, 'pki', ...path);
const everything = () => readdirSync(dataDir, { recursive: true }).map(String).toSorted();

vi.stubEnv('Local__DataDir', dataDir);
await seedAuthority();
afterAll(() => rmSync(dataDir, { recursive: true }));

const rootOf = () => certificatesFromPem(readFileSync(pki('root.crt'), 'utf8'))[0]?.sha256;

describe('the pki folder', () => {
  test("holds the root in PEM, and a file for each holder that the holder's PIN opens", async () => {
    const authority = await findAuthority();
    expect(rootOf()).toBe(signerOf(authority, 'root').certificate.sha256);
    const pins = { '11144477735': '4321' } as Record<string, string>;
    for (const { name } of HOLDERS.filter(({ pin }) => pin)) {
      const { entries } = await openPkcs12(readFileSync(pki('holders', `${name}.p12`)), pins[name] ?? '1234');
      expect(entries.map(({ certificate }) => certificate.sha256)).toEqual([
        signerOf(authority, name).certificate.sha256,
      ]);
      expect(entries[0]?.chain.at(-1)?.subject.text).toContain('Root');
    }
    expect(readdirSync(pki('holders'))).toHaveLength(8);
  });

  test.runIf(hasOpenssl)('is read by openssl', () => {
    const { ok, stdout } = openssl(
      'pkcs12',
      '-in',
      pki('holders', '52998224725.p12'),
      '-passin',
      'pass:1234',
      '-nokeys',
    );
    expect(ok).toBe(true);
    expect(stdout.toString()).toContain('SANDBOX HOLDER 52998224725');
    expect(openssl('x509', '-in', pki('root.crt'), '-noout', '-subject')).toMatchObject({ ok: true });
  });

  test('is left alone while the authority is the same', async () => {
    writeFileSync(pki('mine'), 'left alone');
    await seedAuthority();
    expect(existsSync(pki('mine'))).toBe(true);
    rmSync(pki('mine'));
  });

  // Killed at any line of the writing:
  //
  //   draft begun  |  draft whole  |  folder removed  |  draft renamed
  //
  // up to the last one there is a draft and no folder, or a folder that is not this authority's.
  test.each([
    ['while it was being written for the first time', () => rmSync(pki(), { recursive: true })],
    [
      'between removing the old and placing the new',
      () => {
        rmSync(pki(), { recursive: true });
        mkdirSync(join(dataDir, 'pki.draft', 'holders'), { recursive: true });
        writeFileSync(join(dataDir, 'pki.draft', 'root.crt'), 'half');
        writeFileSync(join(dataDir, 'pki.draft', 'holders', 'gone.p12'), 'of an earlier draft');
      },
    ],
    [
      'while another authority replaced this one',
      () => {
        writeFileSync(pki('version'), 'another');
        writeFileSync(pki('root.crt'), 'half');
        writeFileSync(pki('holders', 'gone.p12'), '');
      },
    ],
  ])('is written whole after a start that was killed %s', async (_, leave) => {
    const whole = everything();
    leave();
    await seedAuthority();
    expect(everything()).toEqual(whole);
    expect(rootOf()).toBe(signerOf(await findAuthority(), 'root').certificate.sha256);
  });
});
