import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { backUp } from '../../../infra/host/backup/backup.ts';
import { lastBackupMs } from '../../../infra/host/backup/last-backup.ts';
import { contentPath, readContentList } from '../../../infra/host/backup/layout.ts';
import { findBackup, restore, verifyBackup } from '../../../infra/host/backup/restore.ts';
import { lockFolder } from '../../../infra/local/engine/folder-lock.ts';
import { RING_FILE, requireRingIn } from '../../../infra/local/stores/ring-file.ts';
import { CommandRefusal } from '../../../shared/command-line/reason.ts';
import { openStores, type Stores } from '../../../shared/embedded/stores.ts';

const TABLE = {
  TableName: 'things',
  AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
};
const Bucket = 'files';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sinete-backup-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A data folder with a table, a bucket and sealing keys, in use. */
async function newInstallation(): Promise<{ dataDir: string; stores: Stores }> {
  const dataDir = newFolder();
  const stores = await openNew(dataDir);
  onTestFinished(stores.close);
  return { dataDir, stores };
}

async function openNew(dataDir: string): Promise<Stores> {
  requireRingIn(dataDir);
  writeFileSync(join(dataDir, 'engine.json'), '{}');
  mkdirSync(join(dataDir, 'pki'));
  writeFileSync(join(dataDir, 'pki/root.crt'), 'root');
  const stores = openStores({ folder: join(dataDir, 'store') });
  await stores.tables.run('CreateTable', TABLE);
  await stores.objects.run('CreateBucket', { Bucket });
  return stores;
}

const put = (stores: Stores, Key: string, Body = Key) =>
  stores.objects.run('PutObject', { Bucket, Key, Body });
const remove = (stores: Stores, Key: string) => stores.objects.run('DeleteObject', { Bucket, Key });
const record = (stores: Stores, pk: string) =>
  stores.tables.run('PutItem', { TableName: 'things', Item: { pk: { S: pk } } });

async function open(dataDir: string) {
  const stores = openStores({ folder: join(dataDir, 'store') });
  onTestFinished(stores.close);
  const { Items } = (await stores.tables.run('Scan', { TableName: 'things' })) as {
    Items: { pk: { S: string } }[];
  };
  const { Contents = [] } = (await stores.objects.run('ListObjectsV2', { Bucket })) as {
    Contents?: { Key: string }[];
  };
  const objects: Record<string, string> = {};
  for (const { Key } of Contents) {
    const { Body } = (await stores.objects.run('GetObject', { Bucket, Key })) as {
      Body: AsyncIterable<Buffer>;
    };
    objects[Key] = Buffer.concat(await Array.fromAsync(Body)).toString();
  }
  return { items: Items.map(({ pk }) => pk.S).toSorted(), objects };
}

const back = (dataDir: string, to: string, keep = 7) => backUp({ dataDir, to, keep, version: '1.0.0' });

describe('a backup', () => {
  test('has every answered write, the keys that open the secrets, and nothing of the running process', async () => {
    const { dataDir, stores } = await newInstallation();
    await record(stores, 'a');
    await put(stores, 'report', 'text');
    mkdirSync(join(dataDir, 'lost+found'));
    const to = join(newFolder(), 'backups');
    const { folder, manifest, copied } = await back(dataDir, to);
    expect(lastBackupMs(dataDir)).toBe(Date.parse(manifest.takenAt));
    await back(dataDir, to);
    expect(manifest.content).toEqual({ count: 1, bytes: 4 });
    expect(copied).toEqual({ count: 1, bytes: 4 });
    await record(stores, 'after');
    await put(stores, 'report', 'changed');
    const into = newFolder();
    mkdirSync(join(into, 'lost+found'));
    await restore(findBackup(to), into);
    expect(await open(into)).toEqual({ items: ['a'], objects: { report: 'text' } });
    expect(readdirSync(into).toSorted()).toEqual(['lost+found', 'pki', 'sealing.keys', 'store']);
    expect(readFileSync(join(into, RING_FILE))).toEqual(readFileSync(join(dataDir, RING_FILE)));
    for (const key of [join(folder, 'data/sealing.keys'), join(into, 'sealing.keys')])
      expect(statSync(key).mode & 0o777).toBe(0o600);
    expect(statSync(to).mode & 0o777).toBe(0o700);
  });

  // Each writer puts a file, then its record; then it removes the record, then the file:
  //
  //   writer   |--put 7--|--record 7--|--put 8--|--record 8--|--forget 7--|--remove 7--|
  //   backup         |--copies--|--snapshot--|--copies the rest--|
  //
  // So a record without its file is in no moment, and may be in no backup.
  test('that is made while files come and go has one moment, with all of its content', async () => {
    const { dataDir, stores } = await newInstallation();
    const to = newFolder();
    let isOver = false;
    const begun: Promise<void>[] = [];
    const writer = async (name: string): Promise<void> => {
      const { promise, resolve } = Promise.withResolvers<void>();
      begun.push(promise);
      for (let n = 0; !isOver; n++) {
        await put(stores, `${name}-${n}`, `content of ${name}-${n}`);
        await record(stores, `${name}-${n}`);
        if (n < 5) continue;
        resolve();
        const Key = { pk: { S: `${name}-${n - 5}` } };
        await stores.tables.run('DeleteItem', { TableName: 'things', Key });
        await remove(stores, `${name}-${n - 5}`);
      }
    };
    const writers = ['north', 'south', 'west'].map(writer);
    try {
      await Promise.all(begun);
      for (let times = 0; times < 3; times++) {
        await back(dataDir, to);
        const into = join(newFolder(), 'new');
        await restore(findBackup(to), into);
        const { items, objects } = await open(into);
        expect(items.length).toBeGreaterThan(0);
        for (const name of items) expect(objects[name]).toBe(`content of ${name}`);
      }
    } finally {
      isOver = true;
      await Promise.all(writers);
    }
  });

  //   other process  |--put a again--|            |--delete a--|
  //   backup                         |--snapshot--|            |--copies a: gone--|--snapshot--|
  test('takes another snapshot where content of the first is gone', async () => {
    const { dataDir, stores } = await newInstallation();
    await put(stores, 'a');
    await put(stores, 'b');
    const content = join(dataDir, 'store/content');
    const other = new DatabaseSync(join(dataDir, 'store/store.db'));
    onTestFinished(() => other.close());
    const again = 'ff'.repeat(16);
    let calls = 0;
    const now = (): number => {
      calls += 1;
      // The backup asks for the time right before its first snapshot.
      if (calls === 2) {
        const id = String(other.prepare("SELECT content FROM objects WHERE key = 'a'").get()?.content);
        mkdirSync(join(content, 'ff'), { recursive: true });
        renameSync(contentPath(content, id), contentPath(content, again));
        other.prepare("UPDATE objects SET content = ? WHERE key = 'a'").run(again);
        process.nextTick(() => {
          other.prepare("DELETE FROM objects WHERE key = 'a'").run();
          rmSync(contentPath(content, again));
        });
      }
      return Date.now();
    };
    const { folder } = await backUp({ dataDir, to: newFolder(), keep: 1, version: '1.0.0', now });
    expect(calls).toBe(3);
    expect(readContentList(folder)).toHaveLength(1);
    await verifyBackup(folder);
  });

  test('copies only the content that no earlier one has, and drops what the kept ones do not refer to', async () => {
    const { dataDir, stores } = await newInstallation();
    const to = newFolder();
    for (const name of ['a', 'b', 'c']) await put(stores, name);
    expect((await back(dataDir, to)).copied.count).toBe(3);
    await remove(stores, 'a');
    await put(stores, 'd');
    expect((await back(dataDir, to)).copied.count).toBe(1);
    const contents = () =>
      readdirSync(join(to, 'content'), { recursive: true, withFileTypes: true }).filter((entry) =>
        entry.isFile(),
      );
    expect(contents()).toHaveLength(4);
    const third = await back(dataDir, to, 2);
    expect(third.copied.count).toBe(0);
    expect(third.removed).toHaveLength(1);
    expect(contents()).toHaveLength(3);
    const into = join(newFolder(), 'new');
    await restore(findBackup(to), into);
    expect((await open(into)).objects).toEqual({ b: 'b', c: 'c', d: 'd' });
  });

  test('says which content an object has lost, and leaves the last backup as it was', async () => {
    const { dataDir, stores } = await newInstallation();
    const to = newFolder();
    await back(dataDir, to);
    const before = findBackup(to);
    await put(stores, 'lost');
    const content = join(dataDir, 'store/content');
    const [path = ''] = readdirSync(content, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    rmSync(path);
    await expect(back(dataDir, to)).rejects.toThrow(
      `The store is damaged: an object's content, ${path}, is gone.`,
    );
    expect(findBackup(to)).toBe(before);
    await verifyBackup(before);
  });

  test('goes into a folder of backups or an empty one', async () => {
    const { dataDir } = await newInstallation();
    const to = newFolder();
    writeFileSync(join(to, 'letters.txt'), 'mine');
    await expect(back(dataDir, to)).rejects.toThrow(`${to} holds other files than backups of Sinete.`);
    expect(readdirSync(to)).toEqual(['letters.txt']);
    await expect(back(newFolder(), newFolder())).rejects.toThrow(
      /There is no store: .*store\.db does not exist/,
    );
  });

  test('goes on where another one was killed', async () => {
    const { dataDir, stores } = await newInstallation();
    await put(stores, 'a');
    const to = newFolder();
    const { folder } = await back(dataDir, to);
    rmSync(join(folder, 'manifest.json'));
    mkdirSync(join(to, '20200101-000000Z.draft'));
    expect(() => findBackup(to)).toThrow('has no complete backup');
    expect(() => findBackup(folder)).toThrow('is not complete');
    await back(dataDir, to);
    expect(readdirSync(to).filter((name) => /\d{8}/.test(name))).toHaveLength(1);
    await verifyBackup(findBackup(to));
  });
});

describe('a restore', () => {
  let made: { dataDir: string; to: string } | undefined;
  afterAll(() => {
    for (const folder of Object.values(made ?? {})) rmSync(folder, { recursive: true, force: true });
  });
  /** A copy of a backup, and the folder that it is of. */
  async function newBackup(): Promise<{ dataDir: string; folder: string }> {
    if (!made) {
      const [dataDir = '', to = ''] = ['data', 'to'].map((name) =>
        mkdtempSync(join(tmpdir(), `sinete-${name}-`)),
      );
      made = { dataDir, to };
      const stores = await openNew(dataDir);
      await record(stores, 'a');
      await put(stores, 'report', 'text');
      await back(dataDir, to);
      stores.close();
    }
    const copy = newFolder();
    cpSync(made.to, copy, { recursive: true });
    return { dataDir: made.dataDir, folder: findBackup(copy) };
  }
  const refused = async (backup: string, into: string): Promise<string> => {
    const error = await restore(backup, into).then(
      () => expect.fail('It was restored.'),
      (thrown: Error) => thrown,
    );
    return error.message;
  };

  test('refuses a folder that is in use, or holds anything', async () => {
    const { dataDir, folder } = await newBackup();
    const { release } = await lockFolder(dataDir, 3000);
    expect(await refused(folder, dataDir)).toContain('is in use by an engine on port 3000');
    release();
    expect(await refused(folder, dataDir)).toMatch(/is not empty: it has .* into an empty folder only/);
    expect((await open(dataDir)).items).toEqual(['a']);
  });

  test.each([
    ['database was changed', (backup: string) => flip(join(backup, 'store.db'), 20_000)],
    ['database was cut', (backup: string) => truncateSync(join(backup, 'store.db'), 8_192)],
    ['content was changed', (backup: string) => flip(contentOf(backup), 1)],
    ['content was cut', (backup: string) => truncateSync(contentOf(backup), 2)],
    ['content is gone', (backup: string) => rmSync(contentOf(backup))],
    ['sealing key is gone', (backup: string) => rmSync(join(backup, 'data/sealing.keys'))],
    ['list of content was cut', (backup: string) => truncateSync(join(backup, 'content.jsonl'), 0)],
    ['manifest was cut', (backup: string) => truncateSync(join(backup, 'manifest.json'), 40)],
    [
      'manifest leads elsewhere',
      (backup: string) => replace(join(backup, 'manifest.json'), 'data/pki', '../../pki'),
    ],
  ])('of a backup whose %s is refused, and nothing is there afterwards', async (_, damage) => {
    const { folder } = await newBackup();
    damage(folder);
    const into = join(newFolder(), 'new');
    await expect(verifyBackup(folder)).rejects.toThrow(CommandRefusal);
    await expect(restore(folder, into)).rejects.toThrow(CommandRefusal);
    expect(existsSync(into) ? readdirSync(into) : []).toEqual([]);
  });
});

const contentOf = (backup: string): string => {
  const [{ id } = { id: '' }] = readContentList(backup);
  return join(backup, '../content', id.slice(0, 2), id);
};
function flip(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}
const replace = (path: string, text: string, by: string): void =>
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll(text, by));
