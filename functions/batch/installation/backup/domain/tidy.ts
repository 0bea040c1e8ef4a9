import { ifThrown } from '../../../../../shared/errors/expected.ts';
import { type Files, files } from '../../../../../shared/files/files.ts';
import type { Logger } from '../../../../../shared/log/logger.ts';
import type { Stored } from '../../../../../shared/store/collection.ts';
import { commit } from '../../../../../shared/store/commit.ts';
import { firstItems } from '../../../../../shared/store/cursor.ts';
import { RaceLost } from '../../../../../shared/store/refusals.ts';
import { recordingEvent } from '../../../operations/domain/events.ts';
import { counting } from '../../../operations/domain/metrics.ts';
import { say } from '../../../sentences/sentences.ts';
import { settings } from '../../../settings.ts';
import { type Backup, backups, newestBackups, sendAgain } from './backup.ts';
import { beginExport, followExport } from './export.ts';
import { completeBackups } from './manifest.ts';
import { deleteFilesOf, isOnShare, targetFiles } from './target.ts';

/** Records of backups that are kept, whatever became of them. */
const MAX_RECORDS = 200;

// Exports take minutes on AWS.
const NEXT_LOOK_SECONDS = 30;

/** Does what is left to do after the end of a backup. It may be repeated. */
export async function tidyUp(backup: Stored<Backup>, logger: Logger, now: () => number): Promise<void> {
  if (backup.isTidied) return;
  const { id, state } = backup;
  if (state !== 'Succeeded') {
    if (await removeLeftovers(backup)) return markTidied(backup);
    return sendAgain(id, NEXT_LOOK_SECONDS, now);
  }
  try {
    if (isOnShare()) await deleteFilesOf(files('batch'), id);
    await prune(await targetFiles(), logger);
    await markTidied(backup);
  } catch (error) {
    logger.error('Old backups were not deleted. The new one is complete.', { backupId: id, error });
    const message = say('backup.not-pruned', { id, reason: (error as Error).message });
    await markTidied(backup, [
      ...recordingEvent({ type: 'BackupPruneFailed', message }, now()),
      counting('bulk_backup_prune_failures_total'),
    ]);
  }
}

// An export cannot be stopped: its files are deleted when it has ended.
//
//   export    |--file--|--file--|--file--|--ends--|
//   operator       |--cancels--|
//   worker            |--looks: it goes on--|        |--looks: deletes all files--|

/** Deletes the files of a backup that did not succeed. False while the store still writes some. */
export async function removeLeftovers({ id, exportArn }: Backup): Promise<boolean> {
  // The same request again names the export of a backup that was canceled before a worker saw it.
  const arn = exportArn ?? (await beginExport(id).catch(() => undefined));
  if (arn !== undefined && (await followExport(arn)).status === 'IN_PROGRESS') return false;
  await deleteFilesOf(files('batch'), id);
  if (isOnShare()) await deleteFilesOf(await targetFiles(), id);
  return true;
}

async function markTidied(backup: Stored<Backup>, also: Parameters<typeof commit>[0] = []): Promise<void> {
  // Another worker has tidied up.
  await commit([backups.changing(backup, { isTidied: true }), ...also]).catch(ifThrown(RaceLost));
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
  await forgetRecords(kept);
  if (failures.length > 0) throw failures[0];
}

/**
 * Deletes the records of backups that are no longer there, and the oldest of those that failed or were canceled; the files
 * of such a one too, where that has failed before.
 */
async function forgetRecords(kept: ReadonlySet<string>): Promise<void> {
  const ended = (await firstItems(backups, newestBackups, 1_000)).filter(({ state }) => state !== 'Running');
  for (const [n, backup] of ended.entries()) {
    const { id, state, isTidied } = backup;
    if (kept.has(id)) continue;
    if (state !== 'Succeeded' && !isTidied && !(await removeLeftovers(backup))) continue;
    if (state === 'Succeeded' || n >= MAX_RECORDS) await commit([backups.removing(id)]);
    else if (!isTidied) await markTidied(backup);
  }
}
