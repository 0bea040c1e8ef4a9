import { globSync, readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  putProfile,
  removeProfile,
  setDefault,
} from '../../../../functions/batch/profiles/domain/change-profile.ts';
import { degradedReasonOf, openProfile } from '../../../../functions/batch/profiles/domain/open-profile.ts';
import { listProfiles, type Profile } from '../../../../functions/batch/profiles/domain/profile.ts';
import { inEnglish } from '../../../../functions/batch/sentences/sentences.ts';
import { SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { seedAuthority } from '../../../../infra/local/seed/authority.ts';
import { seedProfiles } from '../../../../infra/local/seed/profiles.ts';
import { ring } from '../../../certificates/rings.ts';
import { stored } from '../../../functions/batch/profiles/a-profile.ts';
import { ownStores } from '../../../functions/own-stores.ts';

const BY = 'admin ana';

let stop: () => Promise<void>;
beforeAll(async () => {
  stop = await ownStores();
});
afterAll(() => stop());
afterEach(() => {
  vi.unstubAllEnvs();
});

const seed = async () => seedProfiles(await seedAuthority());
const openedHolder = async (profile: Profile) =>
  (await openProfile(profile)).signer?.certificate.subject.text;

describe('the profiles of the sandbox', () => {
  test('are those of the table, of which the degraded one alone does not open', async () => {
    vi.stubEnv('Signer__ApiKey', SANDBOX_KEY);
    await Promise.all([seed(), seed()]);
    const all = await listProfiles();
    expect(all.map(({ name }) => name)).toEqual([
      'aprovacao',
      'aprovacao-assinada',
      'default',
      'degraded',
      'disabled',
      'encrypted',
      'expired',
      'remessas',
      'signer',
      'signer-folder',
    ]);
    expect(all.filter((profile) => profile.default).map(({ name }) => name)).toEqual(['default']);
    expect(all.filter(({ enabled }) => !enabled).map(({ name }) => name)).toEqual(['disabled']);
    const ofProfile = all.filter(({ approval }) => (approval?.signerSet ?? 'Profile') === 'Profile');
    const reasons = await Promise.all(ofProfile.map((each) => degradedReasonOf(each)));
    expect(ofProfile.filter((_, n) => reasons[n] !== undefined).map(({ name }) => name)).toEqual([
      'degraded',
    ]);
    expect(inEnglish((await degradedReasonOf(await stored('degraded'))) ?? '')).toContain(
      'key does not open',
    );
    for (const [name, holder] of [
      ['default', '52998224725'],
      ['remessas', '52998224725'],
      ['expired', '12345678909'],
      ['signer-folder', '52998224725'],
    ] as const)
      expect(await openedHolder(await stored(name))).toContain(`SANDBOX HOLDER ${holder}`);
    expect(await stored('default')).toMatchObject({ verify: true, validateCertificate: true });
    expect(await stored('remessas')).toMatchObject({ checkCnab240: true, preserveFileExtension: true });
    const pool = ['ana@sandbox.example', 'bruno@sandbox.example', 'carla@sandbox.example'];
    for (const [name, signerSet] of [
      ['aprovacao', 'Profile'],
      ['aprovacao-assinada', 'ProfileAndApprovers'],
    ] as const)
      expect(await stored(name)).toMatchObject({
        ...{ checkCnab240: true, preserveFileExtension: true },
        approval: {
          quorum: 2,
          signerSet,
          approvers: pool.map((email) => ({ email })),
          expiresAfterSeconds: 172_800,
        },
      });
    expect(all.map(({ name, inputFolder }) => [name, inputFolder]).filter(([, folder]) => folder)).toEqual([
      ['default', 'inbox'],
      ['remessas', 'remessas'],
    ]);
    expect((await openProfile(await stored('encrypted'))).encryption).toMatchObject({
      password: 'sinete-local-password',
      salt: Buffer.from('sinete-local-salt'),
    });
  });

  test('are no part of a deployment: no function knows their seed or their password', () => {
    const sources = globSync(['functions/**/*.ts', 'shared/**/*.ts']).map((file) =>
      readFileSync(file, 'utf8'),
    );
    expect(sources.length).toBeGreaterThan(500);
    for (const source of sources) expect(source).not.toMatch(/infra\/local|sinete-local-password/);
  });

  test('stay as an operator changed them, and one that was removed comes back', async () => {
    await seed();
    await putProfile(BY, { name: 'remessas', verify: false }, Date.now());
    await setDefault(BY, 'remessas', Date.now());
    await removeProfile(BY, 'default', Date.now());
    const { version } = await stored('remessas');
    await seed();
    expect(await stored('remessas')).toMatchObject({ verify: false, default: true, version });
    expect(await stored('default')).toMatchObject({ default: false });
  });

  test('open again after a start with another sealing key', async () => {
    await seed();
    vi.stubEnv('Sealing__Keys', ring(9));
    await seed();
    const { encryption } = await openProfile(await stored('encrypted'));
    expect(encryption).toMatchObject({ password: 'sinete-local-password' });
  });
});
