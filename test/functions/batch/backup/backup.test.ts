import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { lastBackup, partsOf, runningBackup } from '../../../../functions/batch/backup/domain/backup.ts';
import { cancelBackup } from '../../../../functions/batch/backup/domain/end-backup.ts';
import { listBackups, readBackupGauges } from '../../../../functions/batch/backup/domain/list-backups.ts';
import { completeBackups } from '../../../../functions/batch/backup/domain/manifest.ts';
import {
  dueDay,
  failStalledBackup,
  startDueBackup,
} from '../../../../functions/batch/backup/domain/schedule.ts';
import { sendHeartbeat } from '../../../../functions/batch/cluster/domain/heartbeat.ts';
import { instances } from '../../../../functions/batch/cluster/domain/instance.ts';
import { listEvents } from '../../../../functions/batch/operations/domain/list-events.ts';
import { metricsLedger } from '../../../../functions/batch/operations/domain/metrics.ts';
import type { EventType } from '../../../../functions/batch/operations/event-types.ts';
import { s3 } from '../../../../shared/files/client.ts';
import { files } from '../../../../shared/files/files.ts';
import { logger } from '../../../../shared/log/logger.ts';
import { killedAt } from '../../../crash.ts';
import { everyItem } from '../../../whole-table.ts';
import { type BackupStage, backupStage } from './backup-stage.ts';

let stage: BackupStage;
beforeAll(async () => {
  stage = await backupStage();
  for (let n = 0; n < 6; n++) await stage.upload(`file-${n}.txt`, `${n}`);
  await stage.run();
  await stage.upload('waits.txt', 'waits');
});
afterAll(() => stage.stop());
// A test that fails leaves no backup to the next one.
afterEach(() => cancelBackup('test', stage.now()).catch(() => undefined));

const counted = async (series: string): Promise<number> =>
  (await metricsLedger.read((readNode) => readNode(''))).get(series) ?? 0;
const eventsOf = async (type: EventType): Promise<number> =>
  (await listEvents({ type, page: 1, pageSize: 1 })).totalCount;

/** What a backup leaves in the table beside its record. */
const leftovers = async (id: string): Promise<string[]> =>
  (await everyItem('batch'))
    .map(({ pk }) => pk?.S ?? '')
    .filter((pk) => /^(SNAPSHOT|GATE#|CHANGES#)/.test(pk) || pk === partsOf(id).pk);

// A worker is killed at each of its writes to a store in turn, and the next message goes on:
//
//   worker 1  |--part 2--|--part 3-- killed
//   worker 2                          (lease ends) |--part 5--|--cut--|--manifest--|
test.each(['before', 'after'] as const)(
  'a backup that is killed just %s any of its writes goes on, and restores to a store that agrees',
  async (moment) => {
    let writes = 0;
    let kills = 0;
    // Most writes close and open gates: one in eleven of the later ones is enough.
    for (let isKilled = true; isKilled; writes += writes < 4 ? 1 : 11) {
      const { id } = await stage.start();
      isKilled = await killedAt(writes + 1, moment, () => stage.workOn(id));
      await stage.resume(id);
      const backup = await stage.backup(id);
      expect(backup, `killed at ${writes + 1}`).toMatchObject({ state: 'Succeeded', isTidied: true });
      expect(await leftovers(id)).toEqual([]);
      expect(await runningBackup.get(null)).toBeUndefined();
      kills += 1;
      if (kills % 4 === 0) expect((await stage.restore(id)).recounted.isRight).toBe(true);
      await Promise.all(
        (await stage.filesOf(id)).map((name) => files('batch').remove(`backups/${id}/${name}`)),
      );
    }
    expect(writes).toBeGreaterThan(40);
  },
);

test('a backup out of time goes on in the next message', async () => {
  const { id } = await stage.start();
  let messages = 0;
  do {
    await stage.workOn(id, { forMs: 0 });
    messages += 1;
  } while ((await stage.backup(id)).state === 'Running');
  expect(messages).toBeGreaterThan(2);
  expect((await stage.restore(id)).recounted.isRight).toBe(true);
});

test('a backup that settles, or that another worker has, is left alone', async () => {
  const { id } = await stage.start();
  stage.skip(-10_000);
  await stage.workOn(id);
  expect(await stage.backup(id)).toMatchObject({ state: 'Running', phase: 'Settling', parts: 0 });
  stage.skip(10_000);
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
  expect((await listBackups()).running).toMatchObject({ backupId: id, phase: 'Settling', state: 'Running' });
  await stage.workOn(id);
  expect(await counted('bulk_backup_runs_total{result="Succeeded"}')).toBe(runs + 1);
  expect(await eventsOf('BackupCompleted')).toBe(told + 1);
  const { bytes, endedAtMs } = await stage.backup(id);
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
  test('canceled before and after its first part', async () => {
    for (const forMs of [undefined, 0]) {
      const { id } = await stage.start();
      if (forMs !== undefined) {
        await stage.workOn(id, { forMs });
        await stage.workOn(id, { forMs });
      }
      const canceled = await counted('bulk_backup_runs_total{result="Canceled"}');
      await cancelBackup('ana', stage.now());
      await expect(cancelBackup('ana', stage.now())).rejects.toMatchObject({ code: 'backup.not-running' });
      expect(await counted('bulk_backup_runs_total{result="Canceled"}')).toBe(canceled + 1);
      await stage.workOn(id);
      expect(await stage.backup(id)).toMatchObject({ state: 'Canceled', message: 'Canceled by ana.' });
      expect(await stage.filesOf(id)).toEqual([]);
      expect(await leftovers(id)).toEqual([]);
    }
  });

  test('canceled while a worker has it', async () => {
    const { id } = await stage.start();
    const working = stage.workOn(id);
    await cancelBackup('ana', stage.now());
    await working;
    await stage.workOn(id);
    expect(await stage.backup(id)).toMatchObject({ state: 'Canceled', isTidied: true });
    expect(await stage.filesOf(id)).toEqual([]);
    expect(await leftovers(id)).toEqual([]);
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
    expect(await leftovers(left)).toEqual([]);
    expect(await eventsOf('BackupFailed')).toBe(failed + 2);
  });

  test.each([
    ['switched off', { Backup__Enabled: 'false' }],
    ['with a longer settle time', { Backup__SettleSeconds: '60' }],
  ])('by a live instance that has backups %s, at its start or at its end', async (_, differing) => {
    const heartbeatOfOther = async (): Promise<void> => {
      const other = { Cluster__InstanceName: 'other', ...differing };
      const before = Object.keys(other).map((name) => [name, process.env[name]] as const);
      for (const [name, value] of Object.entries(other)) vi.stubEnv(name, value);
      await sendHeartbeat(stage.now());
      for (const [name, value] of before) vi.stubEnv(name, value);
    };
    const forgetOther = async (): Promise<void> => {
      const row = await instances.get('other');
      if (row) await instances.delete(row);
    };
    const expectFailed = async (id: string): Promise<void> =>
      expect(await stage.backup(id)).toMatchObject({
        state: 'Failed',
        message: expect.stringContaining('The instance other takes no part in backups'),
      });
    const { id: early } = await stage.start();
    await heartbeatOfOther();
    await stage.workOn(early);
    await expectFailed(early);
    await forgetOther();

    const { id: late } = await stage.start();
    // Files are listed when the snapshot is complete.
    const stop = onCall('ListObjectsV2Command', heartbeatOfOther);
    await stage.workOn(late);
    stop();
    await expectFailed(late);
    expect(await stage.filesOf(late)).toEqual([]);
    await forgetOther();
  });

  test('by a store of files that fails until the last attempt', async () => {
    const { id } = await stage.start();
    const stop = failing('PutObjectCommand');
    await expect(stage.workOn(id)).rejects.toThrow('no space left');
    expect((await stage.backup(id)).state).toBe('Running');
    await stage.workOn(id, { isLastAttempt: true });
    stop();
    expect(await stage.backup(id)).toMatchObject({ state: 'Failed', message: 'no space left' });
    expect(await stage.filesOf(id)).toEqual([]);
  });
});

/** Every such request of S3 fails until the answered function is called. */
function onCall(command: string, act: (key: string) => unknown): () => void {
  s3().middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const { Key = '', Delete } = args.input as {
          Key?: string;
          Delete?: { Objects?: { Key?: string }[] };
        };
        if (commandName === command) await act(Delete?.Objects?.[0]?.Key ?? Key);
        return next(args);
      },
    { step: 'initialize', name: 'on-call' },
  );
  return () => s3().middlewareStack.remove('on-call');
}

const failing = (command: string, isMeant: (key: string) => boolean = () => true) =>
  onCall(command, (key) => {
    if (isMeant(key)) throw new Error('no space left');
  });

test('backups beyond the retain count are pruned; one that cannot be deleted is counted, and the new one stays', async () => {
  vi.stubEnv('Backup__RetainCount', '2');
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) {
    ids.push((await stage.backUp()).id);
    stage.skip(1_000);
  }
  expect(await completeBackups(files('batch'))).toEqual(ids.slice(1).toReversed());
  expect(await stage.filesOf(ids[0] ?? '')).toEqual([]);
  expect((await listBackups()).items.filter(({ state }) => state === 'Succeeded')).toHaveLength(2);

  const failures = await counted('bulk_backup_prune_failures_total');
  const stop = failing('DeleteObjectCommand', (key) => key.includes(ids[1] ?? ''));
  const { id: fourth } = await stage.backUp();
  stop();
  expect(await counted('bulk_backup_prune_failures_total')).toBe(failures + 1);
  expect(await eventsOf('BackupPruneFailed')).toBe(1);
  expect(await completeBackups(files('batch'))).toEqual([fourth, ids[2], ids[1]]);
  expect(await stage.backup(fourth)).toMatchObject({ state: 'Succeeded', isTidied: true });
  stage.skip(1_000);
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
});
