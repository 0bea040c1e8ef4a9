import type { Files } from '../../../../shared/files/files.ts';
import type { Logger } from '../../../../shared/log/logger.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { pageByCursor } from '../../../../shared/store/cursor.ts';
import { clearPartition } from '../../../../shared/store/partition.ts';
import { RaceLost } from '../../../../shared/store/refusals.ts';
import { snapshotOf } from '../../../../shared/store/snapshot/snapshot.ts';
import { recordingEvent } from '../../operations/domain/events.ts';
import { counting } from '../../operations/domain/metrics.ts';
import { settings } from '../../settings.ts';
import { type Backup, backups, newestBackups, partsOf } from './backup.ts';
import { completeBackups } from './manifest.ts';
import { deleteFilesOf, targetFiles } from './target.ts';

/** Records of backups that are kept, whatever became of them. */
const MAX_RECORDS = 200;

/** Does what is left to do after the end of a backup. It may be repeated. */
export async function tidyUp(backup: Stored<Backup>, logger: Logger, nowMs: number): Promise<void> {
  if (backup.isTidied) return;
  const { id, state } = backup;
  // Items of this partition are in no backup, so they are deleted without a gate.
  await clearPartition('batch', partsOf(id).pk);
  if (state !== 'Succeeded') {
    const snapshot = snapshotOf('batch', id);
    await snapshot.end();
    await snapshot.clear();
    await deleteFilesOf(await targetFiles(), id);
    await markTidied(backup);
    return;
  }
  try {
    await prune(await targetFiles(), logger);
    await markTidied(backup);
  } catch (error) {
    logger.error('Old backups were not deleted. The new one is complete.', { backupId: id, error });
    const message = `The backup ${id} is complete, and older ones could not be deleted: ${(error as Error).message}`;
    await markTidied(backup, [
      ...recordingEvent({ type: 'BackupPruneFailed', message }, nowMs),
      counting('bulk_backup_prune_failures_total'),
    ]);
  }
}

async function markTidied(backup: Stored<Backup>, also: Parameters<typeof commit>[0] = []): Promise<void> {
  try {
    await commit([backups.changing(backup, { isTidied: true }), ...also]);
  } catch (error) {
    // Another worker has tidied up.
    if (!(error instanceof RaceLost)) throw error;
  }
}

/** Deletes the backups beyond Backup:RetainCount, oldest first, with their records. Throws after the others where one stays. */
async function prune(store: Files, logger: Logger): Promise<void> {
  const complete = await completeBackups(store);
  const kept = new Set(complete.slice(0, settings['Backup:RetainCount']));
  const failures: unknown[] = [];
  for (const id of complete.filter((each) => !kept.has(each)).toReversed()) {
    try {
      await deleteFilesOf(store, id);
      logger.info('An old backup was deleted.', { backupId: id });
    } catch (error) {
      failures.push(error);
      kept.add(id);
    }
  }
  await forgetRecords(store, kept);
  if (failures.length > 0) throw failures[0];
}

/**
 * Deletes the records of backups that are no longer there, and the oldest of those that failed or were canceled; the files
 * of such a one too, where that has failed before.
 */
async function forgetRecords(store: Files, kept: ReadonlySet<string>): Promise<void> {
  const page = await pageByCursor(backups, { ...newestBackups, limit: 1_000 });
  const ended = ('items' in page ? page.items : []).filter(({ state }) => state !== 'Running');
  for (const [n, backup] of ended.entries()) {
    const { id, state, isTidied } = backup;
    if (kept.has(id)) continue;
    const isGone = state === 'Succeeded' || n >= MAX_RECORDS;
    if (state !== 'Succeeded' && !isTidied) await deleteFilesOf(store, id);
    if (isGone) await commit([backups.removing(id)]);
    else if (!isTidied) await markTidied(backup);
  }
}
