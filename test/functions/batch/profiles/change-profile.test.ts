import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { eventOfRow, type OperationalEvent } from '../../../../functions/batch/operations/domain/events.ts';
import {
  ProfileChanged,
  putProfile,
  removeProfile,
  setDefault,
  setEnabled,
  setKey,
} from '../../../../functions/batch/profiles/domain/change-profile.ts';
import { findProfile } from '../../../../functions/batch/profiles/domain/find-profile.ts';
import { listProfiles, readProfile } from '../../../../functions/batch/profiles/domain/profile.ts';
import { AdminRefusal } from '../../../../shared/access/administration.ts';
import { dynamo } from '../../../../shared/store/client.ts';
import { testPki } from '../../../certificates/pki.ts';
import { countCalls } from '../../../measure/calls.ts';
import { forFile } from '../../../runner/for-file.ts';
import { everyItem } from '../../../stores/whole-table.ts';
import { ownStores } from '../../own-stores.ts';
import { BY, NOW, newName, someProfile, stored } from './a-profile.ts';

const encryption = { password: 'a-secret-password', salt: Buffer.alloc(16, 1).toString('base64') };

await forFile(ownStores());

const defaults = async () =>
  (await listProfiles()).filter((profile) => profile.default).map(({ name }) => name);

async function eventsOf(profileName: string): Promise<OperationalEvent[]> {
  const found = (await everyItem('batch')).flatMap((row) => eventOfRow(row) ?? []);
  return found.filter((event) => event.profileName === profileName);
}

/** Lets another writer commit right before the next transaction is sent. */
function letInFirst(other: () => Promise<unknown>): void {
  const name = 'let another writer in first';
  dynamo().middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName === 'TransactWriteItemsCommand') {
          dynamo().middlewareStack.remove(name);
          await other();
        }
        return next(args);
      },
    { step: 'initialize', name },
  );
}

describe('an edit of a profile', () => {
  test('records in the same write who changed which fields, and no secret', async () => {
    const name = newName();
    await putProfile(BY, { name, verify: false, encryption }, NOW);
    await setKey(BY, name, testPki().holder(), NOW);
    await setEnabled(BY, name, false, NOW);
    const recorded = await eventsOf(name);
    const messages = recorded.map(({ message }) => message).toSorted();
    expect(messages).toEqual([
      `Profile ${name} was changed: enabled.`,
      `Profile ${name} was changed: key.`,
      expect.stringMatching(`^Profile ${name} was created: .*verify.*encryption.*\\.$`),
    ]);
    expect(new Set(recorded.map(({ type, by, atMs }) => `${type} ${by} ${atMs}`))).toEqual(
      new Set([`ProfileChanged ${BY} ${NOW}`]),
    );
    const { sealedKey = '' } = await stored(name);
    for (const secret of [encryption.password, encryption.salt, sealedKey])
      expect(JSON.stringify(recorded)).not.toContain(secret);
  });

  test('that changes nothing writes nothing: the same password is no change', async () => {
    const { name, version } = await someProfile({ encryption });
    const before = await eventsOf(name);
    const edit = await putProfile(BY, { name, verify: true, encryption }, NOW);
    expect(edit).toEqual({ name, created: false, changed: [] });
    expect((await stored(name)).version).toBe(version);
    expect(await eventsOf(name)).toEqual(before);
  });

  test('keeps the key and the encryption that it does not name', async () => {
    const before = await someProfile({ encryption });
    await putProfile(BY, { name: before.name, format: 'Cades' }, NOW);
    const { version: _, ...after } = await stored(before.name);
    expect(after).toEqual({ ...before, format: 'Cades', version: undefined });
  });

  test('that is refused changes nothing and records nothing', async () => {
    const { name, version } = await someProfile({ format: 'Pades' });
    const before = await eventsOf(name);
    await expect(putProfile(BY, { name, saveAsPem: true }, NOW)).rejects.toThrow(AdminRefusal);
    expect((await stored(name)).version).toBe(version);
    expect(await eventsOf(name)).toEqual(before);
  });

  test('of an unknown profile is refused, but for one that creates it', async () => {
    const name = newName();
    for (const edit of [
      () => setEnabled(BY, name, true, NOW),
      () => setDefault(BY, name, NOW),
      () => setKey(BY, name, testPki().holder(), NOW),
      () => removeProfile(BY, name, NOW),
    ])
      await expect(edit()).rejects.toThrow(`There is no profile "${name}"`);
    expect(await readProfile(name)).toBeUndefined();
  });

  test('of many at once loses none', async () => {
    const { name } = await someProfile();
    await Promise.all([
      putProfile(BY, { name, verify: false }, NOW),
      putProfile(BY, { name, format: 'Xades' }, NOW),
      setEnabled(BY, name, false, NOW),
      setDefault(BY, name, NOW),
    ]);
    expect(await stored(name)).toMatchObject({
      verify: false,
      format: 'Xades',
      enabled: false,
      default: true,
    });
  });

  test('that creates one name twice at once gives one profile with the fields of both', async () => {
    const name = newName();
    await Promise.all([
      putProfile(BY, { name, verify: false }, NOW),
      putProfile(BY, { name, timestamp: true }, NOW),
    ]);
    expect(await stored(name)).toMatchObject({ verify: false, timestamp: true });
  });

  test('of a profile that was seen otherwise changes nothing, also where another edit comes right before it', async () => {
    const name = newName();
    letInFirst(() => putProfile(BY, { name, verify: false }, NOW));
    const creation = putProfile(BY, { name, verify: true }, NOW, { version: undefined });
    await expect(creation).rejects.toThrow(ProfileChanged);
    const { version } = await stored(name);
    letInFirst(() => setEnabled(BY, name, false, NOW));
    await expect(putProfile(BY, { name, timestamp: true }, NOW, { version })).rejects.toThrow(ProfileChanged);
    expect(await stored(name)).toMatchObject({ verify: false, enabled: false, timestamp: false });
  });
});

describe('the default profile', () => {
  test('is none that takes no files', async () => {
    const folder = { method: 'SignerFolder', signerFolder: { folderId: randomUUID() } } as const;
    const { name } = await someProfile(folder);
    await expect(setDefault(BY, name, NOW)).rejects.toThrow(/takes no files/);
    const byDefault = { name: newName(), default: true, ...folder };
    await expect(putProfile(BY, byDefault, NOW)).rejects.toThrow(/takes no files/);
  });

  test('is one, however many become it at once', async () => {
    const names = await Promise.all(Array.from({ length: 8 }, async () => (await someProfile()).name));
    await Promise.all(names.map((name) => setDefault(BY, name, NOW)));
    const [only, ...others] = await defaults();
    expect(names).toContain(only);
    expect(others).toEqual([]);
    expect((await findProfile())?.name).toBe(only);
  });

  test('is none after a put that says so, and only of the profile that was it', async () => {
    const [one, other] = [await someProfile({ default: true }), await someProfile()];
    await putProfile(BY, { name: other.name, default: false }, NOW);
    expect(await defaults()).toEqual([one.name]);
    await putProfile(BY, { name: one.name, default: false }, NOW);
    expect(await defaults()).toEqual([]);
    expect(await findProfile()).toBeUndefined();
  });

  test('cannot be removed', async () => {
    const { name } = await someProfile({ default: true });
    await expect(removeProfile(BY, name, NOW)).rejects.toThrow(/is the default profile/);
    await setDefault(BY, (await someProfile()).name, NOW);
    await removeProfile(BY, name, NOW);
    expect(await readProfile(name)).toBeUndefined();
    expect((await eventsOf(name)).map(({ message }) => message)).toContain(`Profile ${name} was removed.`);
  });

  // Two administrators meet:
  //
  //   remove a     |--reads: the default is another----------------- writes: refused, reads again: refused
  //   default a        |--reads a-- writes: the default is a --|
  test('is never one that was removed, when removal and choice meet', async () => {
    const { name } = await someProfile();
    letInFirst(() => setDefault(BY, name, NOW));
    await expect(removeProfile(BY, name, NOW)).rejects.toThrow(/is the default profile/);
    expect(await defaults()).toEqual([name]);
  });

  test('is not chosen where its removal was committed first', async () => {
    const { name } = await someProfile();
    letInFirst(() => removeProfile(BY, name, NOW));
    await expect(setDefault(BY, name, NOW)).rejects.toThrow(`There is no profile "${name}"`);
    expect(await defaults()).not.toContain(name);
  });
});

describe('a profile is found', () => {
  test('by its name in any case', async () => {
    const { name } = await someProfile();
    expect((await findProfile(name.toUpperCase()))?.name).toBe(name);
  });

  test('by no name that could be another key', async () => {
    for (const name of ['', '../x', 'a#b', 'x'.repeat(2_000)])
      expect(await findProfile(name)).toBeUndefined();
  });

  test('as it is after a change by this process', async () => {
    const { name } = await someProfile();
    expect((await findProfile(name))?.enabled).toBe(true);
    await setEnabled(BY, name, false, NOW);
    expect((await findProfile(name))?.enabled).toBe(false);
  });

  test('by one call of the store, whoever has changed it', async () => {
    const { name } = await someProfile();
    expect((await countCalls(() => findProfile(name))).byCommand).toEqual({ BatchGetItem: 1 });
  });
});
