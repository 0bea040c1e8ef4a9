import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openStores } from '../../../shared/embedded/stores.ts';

test('a store is for its owner alone, whatever the umask of the process that makes it', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'sinete-modes-'));
  onTestFinished(() => rmSync(parent, { recursive: true }));
  const umask = process.umask(0o000);
  onTestFinished(() => void process.umask(umask));
  const data = join(parent, 'data');
  const stores = openStores({ folder: join(data, 'store') });
  onTestFinished(stores.close);
  await stores.objects.run('CreateBucket', { Bucket: 'files' });
  await stores.objects.run('PutObject', { Bucket: 'files', Key: 'a', Body: 'text' });

  const entries = readdirSync(data, { recursive: true, withFileTypes: true });
  const found = [data, ...entries.map(({ parentPath, name }) => join(parentPath, name))].map((path) => {
    const stats = statSync(path);
    return { path, mode: (stats.mode & 0o777).toString(8), isFolder: stats.isDirectory() };
  });
  expect(found.filter(({ isFolder }) => !isFolder).length).toBeGreaterThan(3);
  expect(found.filter(({ mode, isFolder }) => mode !== (isFolder ? '700' : '600'))).toEqual([]);
});
