import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { backUp } from '../../../infra/host/backup/backup.ts';
import { findBackup, restore } from '../../../infra/host/backup/restore.ts';
import { sealingKeyIn } from '../../../infra/local/stores/sealing-key.ts';
import { openStores, type Stores } from '../../../shared/embedded/stores.ts';

const TABLE = {
  TableName: 'things',
  AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
};

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sinete-backup-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A data folder with a table and sealing keys, in use. */
async function newInstallation(): Promise<{ dataDir: string; stores: Stores }> {
  const dataDir = newFolder();
  sealingKeyIn(dataDir, 'providers');
  writeFileSync(join(dataDir, 'engine.json'), '{}');
  mkdirSync(join(dataDir, 'pki'));
  writeFileSync(join(dataDir, 'pki/root.crt'), 'root');
  const stores = openStores({ folder: join(dataDir, 'store') });
  onTestFinished(stores.close);
  await stores.tables.run('CreateTable', TABLE);
  return { dataDir, stores };
}

const put = (stores: Stores, pk: string) =>
  stores.tables.run('PutItem', { TableName: 'things', Item: { pk: { S: pk } } });
async function itemsIn(dataDir: string): Promise<string[]> {
  const stores = openStores({ folder: join(dataDir, 'store') });
  const { Items } = (await stores.tables.run('Scan', { TableName: 'things' })) as {
    Items: { pk: { S: string } }[];
  };
  stores.close();
  return Items.map(({ pk }) => pk.S).toSorted();
}

const back = (dataDir: string, to: string, keep = 7) => backUp({ dataDir, to, keep, version: '1.0.0' });

test('a backup has every answered write, the keys that open the secrets, and nothing of the running process', async () => {
  const { dataDir, stores } = await newInstallation();
  await put(stores, 'a');
  const to = join(newFolder(), 'backups');
  const { folder } = await back(dataDir, to);
  await put(stores, 'after');
  const into = join(newFolder(), 'new');
  await restore(findBackup(to), into);
  expect(await itemsIn(into)).toEqual(['a']);
  expect(readdirSync(into).toSorted()).toEqual(['pki', 'providers-sealing.key', 'store']);
  expect(sealingKeyIn(into, 'providers')).toBe(sealingKeyIn(dataDir, 'providers'));
  for (const key of [join(folder, 'data/providers-sealing.key'), join(into, 'providers-sealing.key')])
    expect(statSync(key).mode & 0o777).toBe(0o600);
  expect(statSync(to).mode & 0o777).toBe(0o700);
});
