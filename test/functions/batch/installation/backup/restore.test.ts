import { describe, expect, test, vi } from 'vitest';
import { restoreBackup } from '../../../../../functions/batch/installation/backup/domain/restore/restore.ts';
import { jobs } from '../../../../../functions/batch/jobs/domain/job/job.ts';
import { retryJob } from '../../../../../functions/batch/jobs/domain/retry-job.ts';
import { files } from '../../../../../shared/files/files.ts';
import { commit } from '../../../../../shared/store/commit.ts';
import { forFile } from '../../../../runner/for-file.ts';
import { everyItem } from '../../../../stores/whole-table.ts';
import { backupStage, RESTORED } from './backup-stage.ts';

const stage = await forFile(backupStage());
vi.stubEnv('Pipeline__MaxConcurrency', '4');

const EXCLUDED = /^(RATE#|BACKUPS|DUE#backup)/;
const keysOf = async (): Promise<string[]> =>
  (await everyItem('batch'))
    .map(({ pk, sk }) => `${pk?.S} ${sk?.S}`)
    .filter((key) => !EXCLUDED.test(key))
    .toSorted();

describe('a backup', () => {
  test('of a store at rest is the store: every item, and a recount is right', async () => {
    for (const name of ['rest-1.txt', 'rest-2.txt']) await stage.upload(name, name);
    const failed = await stage.upload('rest-3.pdf', 'not a PDF');
    await stage.run();
    // Of a retry the input is recorded.
    const { id: waiting } = await retryJob(failed.id, Date.now());
    const before = await keysOf();
    const { id } = await stage.start();
    await stage.upload('rest-4.txt', 'is later than the export');
    await stage.workOn(id);
    const backup = await stage.backup(id);
    expect(backup).toMatchObject({ state: 'Succeeded', by: 'operator', isTidied: true });
    expect((await stage.filesOf(id)).map((name) => name.replace(/AWSDynamoDB\/[\w-]+/, 'EXPORT'))).toEqual([
      `EXPORT/data/${backup.parts[0]?.name.split('/').at(-1)}`,
      'EXPORT/manifest-files.json',
      'EXPORT/manifest-summary.json',
      'files.jsonl.gz',
      'manifest.json',
    ]);

    const { recounted, manifest, written, leftOut } = await stage.restore(id);
    expect(recounted).toMatchObject({ jobs: 4, isRight: true });
    expect(recounted.compared.every(({ expected, found }) => expected === found)).toBe(true);
    expect(recounted.compared.map(({ expected }) => expected > 0)).toEqual([
      true,
      true,
      true,
      true,
      true,
      true,
    ]);
    expect(leftOut).toBeGreaterThan(0);
    expect(manifest).toMatchObject({
      id,
      service: 'batch',
      version: 1,
      counts: { items: written + leftOut },
    });
    expect(manifest.files.count).toBeGreaterThan(2);
    await stage.at(RESTORED, async () => {
      expect(await keysOf()).toEqual(before);
      expect((await jobs.get(waiting))?.state).toBe('Queued');
    });
  });

  // Jobs are uploaded and signed while the backup runs:
  //
  //   backup    |--exports--|--stores the files--|--lists files--|
  //   uploads   |--1--2--3----------------------------------- n--|
  //   pipeline  |--signs 1--|--signs 2-- ...
  test('under load restores to a store whose lists, counts and names agree, and in which the pipeline runs', async () => {
    const finished: string[] = [];
    let isOver = false;
    let uploads = 0;
    let rounds = 0;
    const upload = async (): Promise<void> => {
      while (!isOver) {
        await stage.upload(`load-${++uploads}.txt`, `file ${uploads}`);
        rounds += 1;
      }
    };
    const sign = async (): Promise<void> => {
      while (!isOver) await stage.run();
    };
    for (let n = 0; n < 4; n++) finished.push((await stage.upload(`done-${n}.txt`, `${n}`)).id);
    await stage.run();
    const load = [upload(), upload(), sign(), sign()];
    await expect.poll(() => rounds).toBeGreaterThan(6);
    const { id } = await stage.start();
    await stage.workOn(id);
    const roundsAtEnd = rounds;
    await expect.poll(() => rounds).toBeGreaterThan(roundsAtEnd + 6);
    isOver = true;
    await Promise.all(load);
    expect(await stage.backup(id)).toMatchObject({ state: 'Succeeded' });

    const { recounted } = await stage.restore(id);
    expect(recounted).toMatchObject({ isRight: true });
    await stage.copyFiles();
    await stage.at(RESTORED, async () => {
      for (const jobId of finished) expect((await jobs.get(jobId))?.state).toBe('Completed');
      const { id: fresh } = await stage.upload('after-restore.txt', 'fresh');
      await stage.run();
      expect((await stage.job(fresh)).state).toBe('Completed');
      const restored = (await everyItem('batch')).filter(({ sk }) => sk?.S === 'JOB').map(jobs.read);
      expect(restored.filter(({ state }) => state === 'Queued')).toEqual([]);
      expect((await stage.recount()).isRight).toBe(true);
    });
  });

  test('of a store that does not agree with itself is found by the recount', async () => {
    const { id: jobId } = await stage.upload('odd.txt', 'odd');
    const job = await stage.job(jobId);
    // Without its lists: as a backup with half of a commit would have it.
    await commit([jobs.removing(jobId)]);
    const wrong = await stage.recount();
    expect(wrong.isRight).toBe(false);
    expect(wrong.compared.filter(({ isSame }) => !isSame).map(({ what }) => what)).toContain(
      'entries of lists',
    );
    await commit([jobs.putting(job)]);
    expect((await stage.recount()).isRight).toBe(true);
  });
});

describe('a damaged backup is refused before a byte is written', () => {
  const damage = async (id: string, name: string, change: (bytes: Buffer) => Buffer | undefined) => {
    const key = `backups/${id}/${name}`;
    const bytes = await files('batch').read(key, 10_000_000);
    const changed = bytes && change(Buffer.from(bytes));
    if (changed) await files('batch').put(key, changed, { contentType: 'application/gzip' });
    else await files('batch').remove(key);
    return async () => bytes && files('batch').put(key, bytes, { contentType: 'application/gzip' });
  };
  const flipped = (bytes: Buffer): Buffer => {
    const middle = bytes.length >> 1;
    bytes[middle] = (bytes[middle] ?? 0) ^ 1;
    return bytes;
  };

  test('a flipped byte, a missing file, a short file, a changed manifest, and no manifest', async () => {
    const { id, parts } = await stage.backUp();
    const names = parts.map(({ name }) => name);
    const changed = (from: string | RegExp, to: string) => (bytes: Buffer) =>
      Buffer.from(bytes.toString().replace(from, to));
    const cases: [string, (bytes: Buffer) => Buffer | undefined, string][] = [
      ...names.map((name): (typeof cases)[number] => [name, flipped, 'another SHA-256']),
      [names.at(-1) ?? '', () => undefined, 'is not there'],
      [names.at(-1) ?? '', (bytes) => bytes.subarray(0, 40), 'another SHA-256'],
      // Whoever can change a file can change its SHA-256 too, and has no sealing key.
      ['manifest.json', changed(/"sha256": "[0-9a-f]{64}"/, `"sha256": "${'0'.repeat(64)}"`), 'was changed'],
      ['manifest.json', changed(/"lines": \d+/, '"lines": 7'), 'was changed'],
      ['manifest.json', changed(/"cutAt": "\d{4}/, '"cutAt": "2031'), 'was changed'],
      ['manifest.json', changed(/"hmac": "\w/, '"hmac": "x'), 'was changed'],
      ['manifest.json', changed(/AWSDynamoDB/, '..'), 'is not one that this version can read'],
      ['manifest.json', () => Buffer.from('{'), 'is not one that this version can read'],
      ['manifest.json', () => undefined, 'no complete backup'],
    ];
    for (const [name, change, message] of cases) {
      const repair = await damage(id, name, change);
      await expect(stage.restore(id)).rejects.toThrow(message);
      await stage.at(RESTORED, async () => expect(await everyItem('batch')).toEqual([]));
      await repair();
    }
    expect((await stage.restore(id)).recounted.isRight).toBe(true);
  });

  test('a table that has items is left alone', async () => {
    const { id } = await stage.backUp();
    const before = await keysOf();
    await expect(restoreBackup(files('batch'), id)).rejects.toThrow('into an empty table only');
    expect(await keysOf()).toEqual(before);
  });
});
