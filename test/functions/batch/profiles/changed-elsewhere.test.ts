import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openProfileOf } from '../../../../functions/batch/jobs/domain/engine/profile-of.ts';
import { profilesBoundTo } from '../../../../functions/batch/profiles/domain/bound-folders.ts';
import { findProfile } from '../../../../functions/batch/profiles/domain/find-profile.ts';
import {
  defaultProfiles,
  profiles,
  type StoredProfile,
} from '../../../../functions/batch/profiles/domain/profile.ts';
import { forFile } from '../../../runner/for-file.ts';
import { arrivalStage } from '../folders/arrival-stage.ts';

const stage = await forFile(arrivalStage());
const FOLDER = 'b9d0c3f2-3f4e-4a53-9d55-1e6e0a9f1a11';

// A process keeps what it may keep for longer than these tests take.
beforeEach(() => void vi.stubEnv('Access__CacheSeconds', '300'));
afterEach(() => void vi.stubEnv('Access__CacheSeconds', '0'));

/** Changes a profile as another process does: nothing tells this one. */
async function changeElsewhere(name: string, patch: Partial<StoredProfile>): Promise<void> {
  const found = await profiles.get(name);
  if (found) await profiles.change(found, patch);
}

// this process   |--a job by the profile                       |--no job
// another              |--disables the profile--200--|
describe('a profile that another process disabled', () => {
  test('makes no job of an upload', async () => {
    await stage.upload('before.bin', 'content', { profile: 'second' });
    await changeElsewhere('second', { enabled: false });
    await expect(stage.upload('after.bin', 'content', { profile: 'second' })).rejects.toMatchObject({
      code: 'profile.disabled',
    });
    await changeElsewhere('second', { enabled: true });
    await stage.upload('again.bin', 'content', { profile: 'second' });
  });

  test('makes no job of a file that arrives in its folder', async () => {
    expect(await stage.drop('first.bin', 'content', 'other')).toBeDefined();
    await changeElsewhere('second', { enabled: false });
    expect(await stage.drop('second.bin', 'content', 'other')).toBeUndefined();
    await changeElsewhere('second', { enabled: true });
    expect(await stage.drop('third.bin', 'content', 'other')).toBeDefined();
  });

  test('takes no document of its signer folder', async () => {
    await stage.profile({ name: 'bound', method: 'SignerFolder', signerFolder: { folderId: FOLDER } });
    expect(await profilesBoundTo(FOLDER)).toMatchObject([{ name: 'bound' }]);
    await changeElsewhere('bound', { enabled: false });
    expect(await profilesBoundTo(FOLDER)).toEqual([]);
  });
});

test('a folder that another process gave to another profile has its files signed by that one', async () => {
  expect(await stage.drop('mine.bin', 'content')).toMatchObject({ profileName: 'default' });
  await changeElsewhere('default', { inputFolder: undefined } as Partial<StoredProfile>);
  await stage.profile({ name: 'successor', inputFolder: 'inbox' });
  expect(await stage.drop('yours.bin', 'content')).toMatchObject({ profileName: 'successor' });
});

test('jobs are signed by the key that another process imported, and not by that of before', async () => {
  await stage.profile({ name: 'keyed' });
  const job = await stage.upload('keyed.bin', 'content', { profile: 'keyed' });
  const before = await profiles.get('keyed');
  await changeElsewhere('keyed', { sealedKey: 'of another record' });
  await expect(openProfileOf(job)).rejects.toMatchObject({ code: 'profile.degraded' });
  await changeElsewhere('keyed', { sealedKey: before?.sealedKey ?? '' });
  expect((await openProfileOf(job)).opened.signer).toBeDefined();
});

test('another default profile counts from the answer on that names it', async () => {
  expect((await findProfile())?.name).toBe('default');
  const named = await defaultProfiles.get('default');
  if (named) await defaultProfiles.change(named, { profileName: 'second' });
  expect((await findProfile())?.name).toBe('second');
});
