import type { SQSEvent } from 'aws-lambda';
import { expect, test, vi } from 'vitest';
import { commandFor } from '../../../../../cli/admin/commands.ts';
import { handler as getMetrics } from '../../../../../functions/batch/endpoints/get-metrics.ts';
import { BACKUPS_QUEUE, bytesOf } from '../../../../../functions/batch/installation/backup/domain/backup.ts';
import { handler as cancelBackup } from '../../../../../functions/batch/installation/backup/endpoints/cancel-backup.ts';
import { handler as listBackups } from '../../../../../functions/batch/installation/backup/endpoints/list-backups.ts';
import { handler as startBackup } from '../../../../../functions/batch/installation/backup/endpoints/start-backup.ts';
import { handler as workOnBackup } from '../../../../../functions/batch/installation/backup/workers/work-on-backup.ts';
import { handler as tick } from '../../../../../functions/batch/pipeline/workers/tick.ts';
import { SANDBOX_KEY } from '../../../../../functions/sandbox/sandbox-data.ts';
import { toLambdaEvent } from '../../../../../infra/runtime/events/sample-event.ts';
import { ring } from '../../../../certificates/rings.ts';
import { call } from '../../../../requests/http-event.ts';
import { forFile } from '../../../../runner/for-file.ts';
import { drainQueue } from '../../../drain-queue.ts';
import { backupStage } from './backup-stage.ts';

const stage = await forFile(backupStage());
vi.stubEnv('Auth__ApiKey', SANDBOX_KEY);
await stage.upload('one.txt', 'one');

const headers = { 'X-API-Key': SANDBOX_KEY };
const ask = async (handler: Parameters<typeof call>[0]) => {
  const answered = await call(handler, { headers });
  return { status: answered.status, body: answered.json() as Record<string, unknown> };
};
const admin = (words: readonly string[], into?: string): Promise<string> => {
  const { run, rest } = commandFor(['backup', ...words]);
  const none = { permissions: [], expires: undefined, identifier: undefined, owner: undefined };
  const pin = { file: undefined, variable: undefined };
  return run({ service: 'batch', ...none, pin, into }, ...rest);
};

test('an operator starts a backup, sees its progress, cancels it, and starts another', async () => {
  vi.stubEnv('Backup__Enabled', 'false');
  expect(await ask(startBackup)).toMatchObject({ status: 409, body: { code: 'backup.disabled' } });
  vi.stubEnv('Backup__Enabled', 'true');
  expect(await ask(cancelBackup)).toMatchObject({ status: 409, body: { code: 'backup.not-running' } });
  const started = await ask(startBackup);
  expect(started).toMatchObject({ status: 202, body: { startedAt: expect.any(String) } });
  const { backupId } = started.body;
  expect(await ask(startBackup)).toMatchObject({ status: 409, body: { code: 'backup.already-running' } });
  const running = (await ask(listBackups)).body;
  expect(running).toMatchObject({
    enabled: true,
    target: 'bucket',
    running: { backupId, phase: 'Exporting' },
  });
  expect(await ask(cancelBackup)).toMatchObject({
    status: 200,
    body: { backupId, canceledAt: expect.any(String) },
  });
  await tick();
  expect((await ask(listBackups)).body).toMatchObject({ running: null, items: [{ state: 'Canceled' }] });
  expect((await call(startBackup, {})).status).toBe(401);
});

test('the worker makes it from messages, and the operator verifies and restores it', async () => {
  expect(await admin(['list'])).toBe('There are no backups in bucket.');
  const { id } = await stage.start();
  const event = toLambdaEvent({ queue: BACKUPS_QUEUE, messages: [{ backupId: 'of nobody' }] });
  await workOnBackup(event as SQSEvent);
  expect((await stage.backup(id)).state).toBe('Running');
  await expect
    .poll(async () => {
      await drainQueue('batch', BACKUPS_QUEUE, workOnBackup);
      return (await stage.backup(id)).state;
    })
    .toBe('Succeeded');
  const metrics = (await call(getMetrics, { headers })).text;
  expect(metrics).toContain(`bulk_backup_last_size_bytes ${bytesOf(await stage.backup(id))}`);
  expect(metrics).toContain('bulk_backup_duration_seconds_count 1');

  expect(await admin(['list'])).toMatch(new RegExp(`^${id} {2}of .* \\d+ items, \\d+ bytes`));
  expect(await admin(['verify', id])).toContain('every file its SHA-256');
  await expect(admin(['verify', 'none'])).rejects.toThrow('There is no complete backup none.');
  const { Sealing__Keys: right } = process.env;
  vi.stubEnv('Sealing__Keys', ring(8));
  await expect(admin(['verify', id])).rejects.toThrow('which Sealing:Keys does not have');
  vi.stubEnv('Sealing__Keys', right);
  await expect(admin(['restore', id])).rejects.toThrow('--into STAGE');
  await expect(admin(['restore', id], 'local')).rejects.toThrow('into an empty table only');
  const restored = await admin(['restore', id], 'restored-by-hand');
  expect(restored).toContain('into sinete-restored-by-hand-batch');
  expect(restored).toContain('Recounted 1 jobs');
  expect(restored).toContain('All agree.');
  await expect(admin(['restore', id], 'restored-by-hand')).rejects.toThrow('into an empty table only');
});
