import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  bytesOf,
  lastBackup,
  runningBackup,
} from '../../../../../functions/batch/installation/backup/domain/backup.ts';
import { cancelBackup } from '../../../../../functions/batch/installation/backup/domain/end-backup.ts';
import {
  listBackups,
  readBackupGauges,
} from '../../../../../functions/batch/installation/backup/domain/list-backups.ts';
import { completeBackups } from '../../../../../functions/batch/installation/backup/domain/manifest.ts';
import {
  dueDay,
  failStalledBackup,
  startDueBackup,
} from '../../../../../functions/batch/installation/backup/domain/schedule.ts';
import { startBackup } from '../../../../../functions/batch/installation/backup/domain/start-backup.ts';
import { listEvents } from '../../../../../functions/batch/operations/domain/list-events.ts';
import { metricsLedger } from '../../../../../functions/batch/operations/domain/metrics.ts';
import type { EventType } from '../../../../../functions/batch/operations/event-types.ts';
import { STORES_FOLDER } from '../../../../../infra/local/stores/endpoints.ts';
import { files } from '../../../../../shared/files/files.ts';
import { logger } from '../../../../../shared/log/logger.ts';
import { killedAt } from '../../../../faults/crash.ts';
import { forFile } from '../../../../runner/for-file.ts';
import { backupStage } from './backup-stage.ts';
import { failFiles, holdExports, refuseExports } from './on-call.ts';

const stage = await forFile(backupStage());
for (let n = 0; n < 6; n++) await stage.upload(`file-${n}.txt`, `${n}`);
await stage.run();
await stage.upload('waits.txt', 'waits');
// A test that fails leaves no backup to the next one.
afterEach(() => cancelBackup('test', stage.now()).catch(() => undefined));

const counted = async (series: string): Promise<number> =>
  (await metricsLedger.read((readNode) => readNode(''))).get(series) ?? 0;
const eventsOf = async (type: EventType): Promise<number> =>
  (await listEvents({ type, page: 1, pageSize: 1 })).totalCount;

// A worker is killed at each of its writes to a store in turn, and the next message goes on:
//
//   worker 1  |--file 1--|--file 2-- killed
//   worker 2                          (lease ends) |--file 2--|--list of files--|--manifest--|
test('a backup that is killed just after any of its writes goes on, and restores to a store that agrees', async () => {
  let writes = 0;
  let kills = 0;
  for (let isKilled = true; isKilled; writes += 1) {
    const { id } = await stage.start();
    isKilled = await killedAt(writes + 1, 'after', () => stage.workOn(id));
    await stage.resume(id);
    const backup = await stage.backup(id);
    expect(backup, `killed at ${writes + 1}`).toMatchObject({ state: 'Succeeded', isTidied: true });
    expect(await runningBackup.get(null)).toBeUndefined();
    kills += 1;
    if (kills % 4 === 0) expect((await stage.restore(id)).recounted.isRight).toBe(true);
    await Promise.all(
      (await stage.filesOf(id)).map((name) => files('batch').remove(`backups/${id}/${name}`)),
    );
  }
  expect(writes).toBeGreaterThan(12);
});

test('a backup out of time goes on in the next message', async () => {
  const { id } = await stage.start();
  let messages = 0;
  do {
    await stage.workOn(id, { forMs: 0 });
    messages += 1;
  } while ((await stage.backup(id)).state === 'Running');
  expect(messages).toBeGreaterThan(1);
  expect((await stage.restore(id)).recounted.isRight).toBe(true);
});

test('a backup whose export goes on, or that another worker has, is left alone', async () => {
  const { id } = await stage.start();
  const stop = holdExports();
  await stage.workOn(id);
  stop();
  expect(await stage.backup(id)).toMatchObject({ state: 'Running', phase: 'Exporting', parts: [] });
  await Promise.all([stage.workOn(id), stage.workOn(id)]);
  expect((await stage.backup(id)).state).toBe('Succeeded');
});

test('one backup runs at a time, and its result is counted, told and measured', async () => {
  const [runs, told] = [
    await counted('bulk_backup_runs_total{result="Succeeded"}'),
    await eventsOf('BackupCompleted'),
  ];
  const { id } = await stage.start();
  await expect(stage.start()).rejects.toMatchObject({ code: 'backup.already-running' });
  expect((await listBackups()).running).toMatchObject({ backupId: id, phase: 'Exporting', state: 'Running' });
  await stage.workOn(id);
  expect(await counted('bulk_backup_runs_total{result="Succeeded"}')).toBe(runs + 1);
  expect(await eventsOf('BackupCompleted')).toBe(told + 1);
  const backup = await stage.backup(id);
  const [bytes, { endedAtMs }] = [bytesOf(backup), backup];
  expect(await lastBackup.get(null)).toMatchObject({ backupId: id, bytes });
  expect(await readBackupGauges()).toEqual({
    lastSizeBytes: bytes,
    lastSuccessSeconds: Math.floor((endedAtMs ?? 0) / 1_000),
  });
  const { running, items } = await listBackups();
  expect(running).toBeNull();
  expect(items[0]).toMatchObject({ backupId: id, state: 'Succeeded', phase: null });
});

describe('a backup that does not succeed leaves nothing but its record', () => {
  test('canceled before and after its files are stored', async () => {
    for (const messages of [0, 1]) {
      const { id } = await stage.start();
      for (let n = 0; n < messages; n++) await stage.workOn(id, { forMs: 0 });
      expect((await stage.backup(id)).parts).toHaveLength(messages);
      const canceled = await counted('bulk_backup_runs_total{result="Canceled"}');
      await cancelBackup('ana', stage.now());
      await expect(cancelBackup('ana', stage.now())).rejects.toMatchObject({ code: 'backup.not-running' });
      expect(await counted('bulk_backup_runs_total{result="Canceled"}')).toBe(canceled + 1);
      await stage.workOn(id);
      expect(await stage.backup(id)).toMatchObject({ state: 'Canceled', message: 'Canceled by ana.' });
      expect(await stage.filesOf(id)).toEqual([]);
    }
  });

  test('canceled while the store exports: its files are deleted when that has ended', async () => {
    const { id } = await stage.start();
    const stop = holdExports();
    await cancelBackup('ana', stage.now());
    await stage.workOn(id);
    expect(await stage.backup(id)).toMatchObject({ state: 'Canceled', isTidied: false });
    expect(await stage.filesOf(id)).not.toEqual([]);
    // Another one may begin meanwhile.
    expect((await startBackup('ana', stage.now())).id).not.toBe(id);
    stop();
    await stage.workOn(id);
    expect(await stage.backup(id)).toMatchObject({ state: 'Canceled', isTidied: true });
    expect(await stage.filesOf(id)).toEqual([]);
  });

  //   process 1  |--starts--|--exports-- killed
  //   worker                               |--looks: it goes on--|   (stands still) |--looks: it has failed--|
  test('by a kill of the process that exports', async () => {
    const failed = await eventsOf('BackupFailed');
    const script = join(import.meta.dirname, 'start-and-die.ts');
    await expect(promisify(execFile)(process.execPath, [script])).rejects.toMatchObject({
      signal: 'SIGKILL',
    });
    const { backupId = '' } = (await runningBackup.get(null)) ?? {};
    await stage.workOn(backupId);
    expect((await stage.backup(backupId)).state).toBe('Running');
    letExportsStandStill();
    await stage.workOn(backupId);
    expect(await stage.backup(backupId)).toMatchObject({
      state: 'Failed',
      message: 'The export failed: The process that wrote it was stopped.',
      isTidied: true,
    });
    expect(await stage.filesOf(backupId)).toEqual([]);
    expect(await eventsOf('BackupFailed')).toBe(failed + 1);
  });

  test.each(['UnknownOperationException', 'PointInTimeRecoveryUnavailableException'])(
    'by a store that cannot export, which answers %s: the start is refused with backup.disabled',
    async (name) => {
      const stop = refuseExports(name);
      const failed = await eventsOf('BackupFailed');
      await expect(stage.start()).rejects.toMatchObject({ code: 'backup.disabled', status: 409 });
      stop();
      expect(await runningBackup.get(null)).toBeUndefined();
      expect((await listBackups()).items[0]).toMatchObject({
        state: 'Failed',
        message: expect.stringContaining('use the backup of the engine'),
      });
      expect(await eventsOf('BackupFailed')).toBe(failed + 1);
    },
  );

  test('canceled while a worker has it', async () => {
    const { id } = await stage.start();
    const working = stage.workOn(id);
    await cancelBackup('ana', stage.now());
    await working;
    await stage.workOn(id);
    expect(await stage.backup(id)).toMatchObject({ state: 'Canceled', isTidied: true });
    expect(await stage.filesOf(id)).toEqual([]);
  });

  test('switched off, moved to another target, or left by every worker', async () => {
    const failed = await eventsOf('BackupFailed');
    const { id: off } = await stage.start();
    vi.stubEnv('Backup__Enabled', 'false');
    await stage.workOn(off);
    vi.stubEnv('Backup__Enabled', 'true');
    expect(await stage.backup(off)).toMatchObject({
      state: 'Failed',
      message: 'Backup:Enabled was switched off.',
    });

    const { id: left } = await stage.start();
    await failStalledBackup(stage.now() + 3_600_000);
    expect((await stage.backup(left)).state).toBe('Running');
    await failStalledBackup(stage.now() + 3 * 3_600_000);
    expect((await stage.backup(left)).state).toBe('Failed');
    await stage.workOn(left);
    expect(await eventsOf('BackupFailed')).toBe(failed + 2);
  });

  test('by a store of files that fails until the last attempt', async () => {
    const { id } = await stage.start();
    const stop = failFiles('PutObjectCommand');
    await expect(stage.workOn(id)).rejects.toThrow('no space left');
    expect((await stage.backup(id)).state).toBe('Running');
    await stage.workOn(id, { isLastAttempt: true });
    stop();
    expect(await stage.backup(id)).toMatchObject({ state: 'Failed', message: 'no space left' });
    expect(await stage.filesOf(id)).toEqual([]);
  });
});

/** A long time passes for the store, in which nobody goes on with an export. */
function letExportsStandStill(): void {
  const database = new DatabaseSync(join(process.env[STORES_FOLDER] ?? '', 'store.db'));
  database.exec("UPDATE exports SET touched = 0 WHERE status = 'IN_PROGRESS'");
  database.close();
}

test('backups beyond the retain count are pruned; one that cannot be deleted is counted, and the new one stays', async () => {
  vi.stubEnv('Backup__RetainCount', '2');
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) {
    ids.push((await stage.backUp()).id);
  }
  expect(await completeBackups(files('batch'))).toEqual(ids.slice(1).toReversed());
  expect(await stage.filesOf(ids[0] ?? '')).toEqual([]);
  expect((await listBackups()).items.filter(({ state }) => state === 'Succeeded')).toHaveLength(2);

  const failures = await counted('bulk_backup_prune_failures_total');
  const stop = failFiles('DeleteObjectCommand', (key) => key.includes(ids[1] ?? ''));
  const { id: fourth } = await stage.backUp();
  stop();
  expect(await counted('bulk_backup_prune_failures_total')).toBe(failures + 1);
  expect(await eventsOf('BackupPruneFailed')).toBe(1);
  expect(await completeBackups(files('batch'))).toEqual([fourth, ids[2], ids[1]]);
  expect(await stage.backup(fourth)).toMatchObject({ state: 'Succeeded', isTidied: true });
  const { id: fifth } = await stage.backUp();
  expect(await completeBackups(files('batch'))).toEqual([fifth, fourth]);
});

describe('the backup of the day', () => {
  const minutes = (text: string): number => Date.parse(`2026-03-02T${text}:00-03:00`);

  test.each([
    ['02:29', 150, undefined],
    ['02:30', 150, '2026-03-02'],
    ['03:29', 150, '2026-03-02'],
    ['03:30', 150, undefined],
    ['23:50', 1_430, '2026-03-02'],
    ['00:10', 1_430, '2026-03-01'],
    ['00:00', 0, '2026-03-02'],
    ['02:30', undefined, undefined],
  ] as const)('at %s, with %s minutes after midnight, is that of %s', (time, at, day) => {
    expect(dueDay(at, 'America/Sao_Paulo', minutes(time))).toBe(day);
  });

  test('begins once, however often the schedule fires', async () => {
    vi.stubEnv('Backup__At', '02:30');
    const log = logger('batch');
    const fire = (time: string) => startDueBackup(log, minutes(time));
    await fire('02:29');
    expect(await runningBackup.get(null)).toBeUndefined();
    await Promise.allSettled([fire('02:30'), fire('02:30'), fire('02:31')]);
    const running = await runningBackup.get(null);
    expect(await stage.backup(running?.backupId ?? '')).toMatchObject({ by: null, state: 'Running' });
    await cancelBackup('ana', minutes('02:32'));
    await fire('02:33');
    expect(await runningBackup.get(null)).toBeUndefined();
  });

  test('of a store that cannot export fails once, and an event says so', async () => {
    vi.stubEnv('Backup__At', '04:30');
    const failed = await eventsOf('BackupFailed');
    const stop = refuseExports('UnknownOperationException');
    const nextDay = (time: string): number => minutes(time) + 86_400_000;
    for (const time of ['04:30', '04:31']) await startDueBackup(logger('batch'), nextDay(time));
    stop();
    expect(await eventsOf('BackupFailed')).toBe(failed + 1);
  });
});
