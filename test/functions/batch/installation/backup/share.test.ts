import { gunzipSync } from 'node:zlib';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, test, vi } from 'vitest';
import { filesOf } from '../../../../../functions/batch/installation/backup/domain/backup.ts';
import type { FileLine } from '../../../../../functions/batch/installation/backup/domain/list-files.ts';
import {
  completeBackups,
  readManifest,
} from '../../../../../functions/batch/installation/backup/domain/manifest.ts';
import { workFiles } from '../../../../../functions/batch/storage/domain/stores.ts';
import { forEachConcurrently } from '../../../../../shared/async/for-each-concurrently.ts';
import { files } from '../../../../../shared/files/files.ts';
import { tableName } from '../../../../../shared/settings/names.ts';
import { dropAllCached } from '../../../../../shared/store/cached.ts';
import { dynamo } from '../../../../../shared/store/client.ts';
import { forFile } from '../../../../runner/for-file.ts';
import { everyItem } from '../../../../stores/whole-table.ts';
import { startShareServer } from '../../shares/share-server.ts';
import { backupStage, RESTORED } from './backup-stage.ts';

const stage = await forFile(backupStage());
const server = await forFile(startShareServer());
await server.share('cofre');
vi.stubEnv('Backup__Target', 'share:cofre/copias');
vi.stubEnv('Storage__Work', 'share:cofre/trabalho');
for (let n = 0; n < 3; n++) await stage.upload(`file-${n}.txt`, `${n}`);
await stage.run();

const onShare = () => server.at('copias');

/** The list of files of a backup. */
async function listedFiles(id: string): Promise<FileLine[]> {
  const bytes = await onShare().read(`backups/${id}/files.jsonl.gz`, 10_000_000);
  const lines = gunzipSync(bytes ?? '')
    .toString('utf8')
    .trimEnd()
    .split('\n');
  return lines.map((line) => JSON.parse(line) as FileLine);
}

test('a backup goes to a share, is restored from there, and is pruned there', async () => {
  vi.stubEnv('Backup__RetainCount', '1');
  const first = await stage.backUp();
  expect(first).toMatchObject({ state: 'Succeeded', target: 'share:cofre/copias', isTidied: true });
  expect(await completeBackups(onShare())).toEqual([first.id]);
  expect((await stage.restore(first.id)).recounted).toMatchObject({ jobs: 3, isRight: true });
  const second = await stage.backUp();
  expect(await completeBackups(onShare())).toEqual([second.id]);
  expect((await onShare().list(`backups/${first.id}/`)).files).toEqual([]);
  // The export went to the bucket, and is deleted there.
  expect((await files('batch').list('backups/')).files).toEqual([]);
});

test('a backup whose share is gone fails, and its files are deleted when the share is back', async () => {
  const { id } = await stage.start();
  // The files of the export are stored.
  await stage.workOn(id, { forMs: 0 });
  expect(await stage.filesOf(id)).not.toEqual([]);
  await server.kill();
  await expect(stage.workOn(id)).rejects.toThrow();
  expect((await stage.backup(id)).state).toBe('Running');
  await expect(stage.workOn(id, { isLastAttempt: true })).rejects.toThrow();
  expect(await stage.backup(id)).toMatchObject({ state: 'Failed', isTidied: false });
  await server.restart();
  await stage.workOn(id);
  expect((await stage.backup(id)).isTidied).toBe(true);
  expect(await stage.filesOf(id)).toEqual([]);
});

// A list of S3 has 1,000 keys a page.
const FILES = 1_001;

test('the files of a work share are listed, page by page, with length and entity tag', async () => {
  dropAllCached();
  const work = await workFiles();
  const names = Array.from({ length: FILES }, (_, n) => `output/many/${n}`);
  await forEachConcurrently(8, names, async (name) => {
    await work.put(name, Buffer.from(name), { contentType: 'application/octet-stream' });
  });
  const { id } = await stage.start();
  await stage.workOn(id);
  const backup = await stage.backup(id);
  const { fileBytes } = backup;
  const listed = await listedFiles(id);
  expect(listed).toHaveLength(filesOf(backup));
  expect(listed.reduce((sum, { length }) => sum + length, 0)).toBe(fileBytes);
  const ofWork = listed.filter(({ store }) => store === 'work');
  expect(ofWork.filter(({ key }) => key.startsWith('output/file-'))).toHaveLength(3);
  expect(ofWork.filter(({ key }) => key.startsWith('output/many/'))).toHaveLength(FILES);
  const found = await work.head('output/many/7');
  expect(ofWork.find(({ key }) => key === 'output/many/7')).toEqual({
    store: 'work',
    key: 'output/many/7',
    length: 'output/many/7'.length,
    etag: found?.etag,
  });
});

const LARGE_BYTES = 350_000;
const ITEMS = 50; // some 17 MB

test('a table larger than a file of the export is stored message by message, and restored from all files', async () => {
  const textOf = (n: number) => String(n).padStart(LARGE_BYTES, 'x');
  const numbers = Array.from({ length: ITEMS }, (_, n) => n);
  const put = (n: number) =>
    dynamo().send(
      new PutItemCommand({
        TableName: tableName('batch'),
        Item: { pk: { S: `LARGE#${n}` }, sk: { S: 'LARGE' }, text: { S: textOf(n) } },
      }),
    );
  await forEachConcurrently(4, numbers, async (n) => void (await put(n)));
  const { id } = await stage.start();
  const stored: number[] = [];
  while ((await stage.backup(id)).state === 'Running') {
    await stage.workOn(id, { forMs: 0 });
    stored.push((await stage.backup(id)).parts.length);
  }
  expect(stored.length).toBeGreaterThan(2);
  const { parts } = await readManifest(onShare(), id);
  expect(parts.filter(({ kind }) => kind === 'items').length).toBeGreaterThan(1);
  expect((await stage.restore(id)).recounted.isRight).toBe(true);
  const restored = await stage.at(RESTORED, () => everyItem('batch'));
  const texts = new Map(restored.map(({ pk, text }) => [pk?.S, text?.S]));
  for (const n of numbers) expect(texts.get(`LARGE#${n}`) === textOf(n)).toBe(true);
});
