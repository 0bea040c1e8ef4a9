import { createHash, createVerify, randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { profilesBoundTo } from '../../../../functions/batch/profiles/domain/bound-folders.ts';
import { putProfile, setKey } from '../../../../functions/batch/profiles/domain/change-profile.ts';
import { checkKeyless, degradedProfiles } from '../../../../functions/batch/profiles/domain/degraded.ts';
import {
  degradedReasonOf,
  openProfile,
  ProfileDegraded,
} from '../../../../functions/batch/profiles/domain/open-profile.ts';
import {
  type Profile,
  profiles,
  type StoredProfile,
} from '../../../../functions/batch/profiles/domain/profile.ts';
import { inEnglish } from '../../../../functions/batch/sentences/sentences.ts';
import { writePem } from '../../../../shared/pki/pem.ts';
import { passwordKey } from '../../../../shared/signing/encryption/password-envelope.ts';
import { testPki } from '../../../certificates/pki.ts';
import { ring } from '../../../certificates/rings.ts';
import { BY, NOW, newName, someProfile, stored } from './a-profile.ts';

const SALT = Buffer.alloc(16, 1).toString('base64');
const ANA = { name: 'Ana', email: 'ana@example.com', cpf: '52998224725' };
const encryption = { password: 'a password', salt: SALT };

afterEach(() => {
  vi.unstubAllEnvs();
});

async function expectDegraded(profile: Profile, reason: RegExp): Promise<void> {
  expect(inEnglish((await degradedReasonOf(profile)) ?? '')).toMatch(reason);
  const error = await openProfile(profile).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ProfileDegraded);
  expect(inEnglish((error as ProfileDegraded).reason)).toMatch(reason);
  vi.stubEnv('Access__CacheSeconds', '0');
  const found = (await degradedProfiles()).find(({ name }) => name === profile.name);
  expect(inEnglish(found?.reason ?? '')).toMatch(reason);
}

const rewritten = async (profile: Profile, patch: Partial<StoredProfile>): Promise<Profile> => {
  const { default: _, ...item } = profile;
  await profiles.change(item, patch);
  return stored(profile.name);
};

describe('a profile that opens', () => {
  test('signs with its key, and gives its certificate and the ones above it', async () => {
    const { signer } = await openProfile(await someProfile());
    if (!signer) throw new Error('It has no key.');
    const { certificate, chain } = testPki().holder();
    expect(signer.certificate.subject.text).toBe(certificate.subject.text);
    expect(signer.chain.map(({ sha256 }) => sha256)).toEqual(chain.map(({ sha256 }) => sha256));
    const data = Buffer.from('data');
    const signature = await signer.signHash('sha256', createHash('sha256').update(data).digest());
    expect(createVerify('sha256').update(data).verify(signer.certificate.publicKey, signature)).toBe(true);
  });

  test('is opened once for a version, and anew after a change', async () => {
    const profile = await someProfile({ encryption });
    const [one, other] = await Promise.all([openProfile(profile), openProfile(profile)]);
    expect(other).toBe(one);
    await putProfile(BY, { name: profile.name, verify: false }, NOW);
    expect(await openProfile(await stored(profile.name))).not.toBe(one);
  });

  test('has the password, the salt and the key derived from them', async () => {
    const opened = await openProfile(await someProfile({ encryption }));
    const salt = Buffer.from(SALT, 'base64');
    expect(opened.encryption).toMatchObject({ password: 'a password', salt });
    const key = await passwordKey('a password', salt);
    expect(opened.encryption && 'key' in opened.encryption && opened.encryption.key.equals(key)).toBe(true);
  });

  test('has the certificate that outputs are encrypted for', async () => {
    const { certificate } = testPki().holder();
    const pem = writePem('CERTIFICATE', certificate.der);
    const opened = await openProfile(await someProfile({ encryption: { certificate: pem } }));
    expect(opened.encryption).toMatchObject({ certificate: { sha256: certificate.sha256 } });
  });

  test('is not degraded by an expired certificate: jobs judge it', async () => {
    const profile = await someProfile();
    const change = { notBeforeMs: Date.UTC(2020, 0), notAfterMs: Date.UTC(2021, 0) };
    await setKey(BY, profile.name, testPki().holder({ change }), NOW);
    expect(await degradedReasonOf(await stored(profile.name))).toBeUndefined();
  });
});

describe('a profile is degraded', () => {
  test('without a key', async () => {
    const name = newName();
    await putProfile(BY, { name }, NOW);
    await expectDegraded(await stored(name), /has no key.*profiles key/);
  });

  test('under another ring, and under none', async () => {
    const profile = await someProfile();
    for (const keys of [ring(9), '']) {
      vi.stubEnv('Sealing__Keys', keys);
      await expectDegraded(profile, /key does not open: .* which Sealing:Keys does not have/);
    }
    vi.unstubAllEnvs();
    expect(await degradedReasonOf(profile)).toBeUndefined();
  });

  test('with the sealed key of another profile: it opens only for its own name', async () => {
    const [one, other] = [await someProfile(), await someProfile()];
    if (!one.sealedKey) throw new Error('It should have a key.');
    await expectDegraded(await rewritten(other, { sealedKey: one.sealedKey }), /sealed for another record/);
  });

  test('with the sealed password of another profile', async () => {
    const [one, other] = [await someProfile({ encryption }), await someProfile({ encryption })];
    if (!one.encryption) throw new Error('It should have a password.');
    const moved = await rewritten(other, { encryption: one.encryption });
    await expectDegraded(moved, /encryption password does not open/);
  });

  test('with a sealed key in the place of a password', async () => {
    const profile = await someProfile({ encryption });
    const moved = await rewritten(profile, { encryption: { sealed: profile.sealedKey ?? '' } });
    await expectDegraded(moved, /encryption password does not open/);
  });

  test('with a certificate that is not of its key', async () => {
    const { certificate } = testPki().holder({ keyName: 'another' });
    const profile = await rewritten(await someProfile(), { certificate: certificate.der });
    await expectDegraded(profile, /key cannot sign: .*not the one of the certificate/);
  });

  test('with a recipient that cannot be read', async () => {
    const broken = await rewritten(await someProfile(), { encryption: { certificate: Buffer.from('x') } });
    await expectDegraded(broken, /encrypted for cannot be read/);
  });

  test('where others sign and no external service is configured', async () => {
    const external = await someProfile({
      method: 'ExternalSigner',
      externalSigner: { signers: [{ ...ANA, step: 1 }] },
    });
    await expectDegraded(external, /set Signer:BaseAddress and Signer:ApiKey/);
    const folder = await someProfile({ method: 'SignerFolder', signerFolder: { folderId: randomUUID() } });
    await expectDegraded(folder, /set Signer:BaseAddress and Signer:ApiKey/);
  });

  test('where it signs a folder and its certificate names no CPF', async () => {
    vi.stubEnv('Signer__ApiKey', 'a-key|of-the-platform');
    const { name } = await someProfile({ method: 'SignerFolder', signerFolder: { folderId: randomUUID() } });
    expect(await degradedReasonOf(await stored(name))).toBeUndefined();
    const nobody = testPki().holder({ commonName: 'Nobody', fields: { email: 'nobody@example.com.br' } });
    await setKey(BY, name, nobody, NOW);
    await expectDegraded(await stored(name), /names no CPF/);
    expect((await profilesBoundTo((await stored(name)).signerFolder?.folderId ?? ''))[0]).toMatchObject({
      cpf: undefined,
      isDegraded: true,
    });
  });

  test('without a key, unless approvers alone sign its files', async () => {
    const name = newName();
    const approval = { quorum: 1, approvers: [ANA] };
    await putProfile(BY, { name, approval: { ...approval, signerSet: 'ProfileAndApprovers' } }, NOW);
    await expectDegraded(await stored(name), /has no key/);
    await putProfile(BY, { name, approval: { ...approval, signerSet: 'Approvers' } }, NOW);
    expect(await degradedReasonOf(await stored(name))).toBeUndefined();
    expect((await openProfile(await stored(name))).signer).toBeUndefined();
    expect(await checkKeyless()).toContainEqual(
      expect.objectContaining({ name: `signing-profile-keyless:${name}`, ok: true }),
    );
    // A job whose rule was frozen before has its own signers.
    await expect(openProfile(await stored(name), 'Profile')).rejects.toThrow(/has no key/);
    await setKey(BY, name, testPki().holder(), NOW);
    expect((await openProfile(await stored(name))).signer).toBeUndefined();
    expect((await openProfile(await stored(name), 'Profile')).signer).toBeDefined();
  });
});
