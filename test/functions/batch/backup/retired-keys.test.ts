import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { retireKey, rotateKeys } from '../../../../cli/keys/commands.ts';
import { verifyBackup } from '../../../../functions/batch/backup/domain/restore/verify.ts';
import { deleteFilesOf, targetFiles } from '../../../../functions/batch/backup/domain/target.ts';
import { forFile } from '../../../for-file.ts';
import { backupStage } from './backup-stage.ts';

const stage = await forFile(backupStage());

test('a sealing key is not retired while a kept backup needs it, and the backup can be verified until then', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sinete-retired-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'sealing.keys');
  writeFileSync(path, process.env.Sealing__Keys ?? '');
  const [before = ''] = (process.env.Sealing__Keys ?? '').split(':');
  vi.stubEnv('Sealing__Keys', `file:${path}`);
  await stage.profile({ name: 'default', default: true });

  const { id } = await stage.backUp();
  let nowMs = Date.now();
  const deps = {
    say: () => undefined,
    now: () => nowMs,
    wait: async (ms: number) => {
      nowMs += ms;
    },
  };
  await rotateKeys(deps);
  await expect(retireKey(before, deps)).rejects.toThrow(`${before} is still named by the backup ${id}.`);
  const store = await targetFiles();
  expect((await verifyBackup(store, id)).lines).toBeGreaterThan(0);
  await deleteFilesOf(store, id);
  expect(await retireKey(before, deps)).toContain(`Took ${before} out of the ring`);
});
