import { expect, vi } from 'vitest';
import { type Backup, backups } from '../../../../../functions/batch/installation/backup/domain/backup.ts';
import {
  beginExport,
  followExport,
} from '../../../../../functions/batch/installation/backup/domain/export.ts';
import {
  type Recount,
  recount,
} from '../../../../../functions/batch/installation/backup/domain/restore/recount.ts';
import {
  type Restored,
  restoreBackup,
} from '../../../../../functions/batch/installation/backup/domain/restore/restore.ts';
import { startBackup } from '../../../../../functions/batch/installation/backup/domain/start-backup.ts';
import { targetFiles } from '../../../../../functions/batch/installation/backup/domain/target.ts';
import { workOnBackup } from '../../../../../functions/batch/installation/backup/domain/work-on-backup.ts';
import { createDeclared } from '../../../../../infra/runtime/resources/create.ts';
import { readDeclared } from '../../../../../infra/runtime/resources/read.ts';
import { files } from '../../../../../shared/files/files.ts';
import { logger } from '../../../../../shared/log/logger.ts';
import { LOCAL_STAGE } from '../../../../../shared/settings/names.ts';
import { clearPartition } from '../../../../../shared/store/partition.ts';
import { everyItem } from '../../../../stores/whole-table.ts';
import { batchStage } from '../../stage.ts';

export const RESTORED = 'restored';
const LEASE_AND_MORE_MS = 300_000;

/** The batch service with backups switched on, and a second stage to restore into. */
export async function backupStage() {
  const stage = await batchStage();
  vi.stubEnv('Backup__Enabled', 'true');
  let skippedMs = 0;
  const now = () => Date.now() + skippedMs;
  const log = logger('batch');

  const workOn = (id: string, options: { isLastAttempt?: boolean; forMs?: number } = {}) => {
    const deadlineAtMs = now() + (options.forMs ?? 600_000);
    return workOnBackup(id, {
      hasTime: () => now() < deadlineAtMs,
      isLastAttempt: options.isLastAttempt ?? false,
      logger: log,
      now,
    });
  };
  const at = async <T>(into: string, work: () => Promise<T>): Promise<T> => {
    process.env.STAGE = into;
    try {
      return await work();
    } finally {
      process.env.STAGE = LOCAL_STAGE;
    }
  };
  return {
    ...stage,
    now,
    /** Time passes for the worker of backups alone. */
    skip(ms: number): void {
      skippedMs += ms;
    },
    /** Starts a backup, a second after the one before, and waits for the store's export. */
    async start(by: string | null = 'operator'): Promise<Backup> {
      skippedMs += 1_000;
      const backup = await startBackup(by, now());
      const arn = await beginExport(backup.id);
      await expect
        .poll(async () => (await followExport(arn)).status, { timeout: 30_000 })
        .not.toBe('IN_PROGRESS');
      return backup;
    },
    workOn,
    /** Goes on as the next message does when a worker was killed. */
    async resume(id: string): Promise<void> {
      skippedMs += LEASE_AND_MORE_MS;
      await workOn(id);
    },
    async backUp(): Promise<Backup> {
      const { id } = await this.start();
      await workOn(id);
      return this.backup(id);
    },
    backup: async (id: string): Promise<Backup> => {
      const found = await backups.get(id);
      if (!found) throw new Error(`There is no backup ${id}.`);
      return found;
    },
    /** Work on another stage of the same stores. */
    at,
    /** Restores into a stage of its own, made empty, and recounts there. */
    async restore(id: string): Promise<Restored & { readonly recounted: Recount }> {
      const store = await targetFiles();
      await createDeclared(readDeclared(process.cwd(), RESTORED), () => undefined);
      return at(RESTORED, async () => {
        for (const pk of new Set((await everyItem('batch')).map((item) => item.pk?.S ?? '')))
          await clearPartition('batch', pk);
        const restored = await restoreBackup(store, id);
        return { ...restored, recounted: await recount() };
      });
    },
    recount,
    /** Files are not in a backup: an operator copies them. */
    async copyFiles(): Promise<void> {
      const from = files('batch');
      const listed = (await from.list('')).files;
      for (const { key, etag } of listed) {
        const bytes = await from.read(key, 1_000_000);
        if (bytes && etag)
          await at(RESTORED, () => files('batch').put(key, bytes, { contentType: 'application/pdf' }));
      }
    },
    filesOf: async (id: string): Promise<string[]> =>
      (await (await targetFiles()).list(`backups/${id}/`)).files.map(({ key }) =>
        key.slice(`backups/${id}/`.length),
      ),
  };
}
