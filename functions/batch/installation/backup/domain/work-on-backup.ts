import { ifThrown } from '../../../../../shared/errors/expected.ts';
import { type Files, files } from '../../../../../shared/files/files.ts';
import { sha256Of } from '../../../../../shared/files/sha256.ts';
import type { Work } from '../../../../../shared/queue/work.ts';
import type { Stored } from '../../../../../shared/store/collection.ts';
import { released } from '../../../../../shared/store/lease.ts';
import { RaceLost } from '../../../../../shared/store/refusals.ts';
import { settings } from '../../../settings.ts';
import { type Backup, backups, type Part, sendAgain } from './backup.ts';
import { completeBackup, failBackup } from './end-backup.ts';
import { beginExport, exportedFiles, followExport, NoExports } from './export.ts';
import { listFiles } from './list-files.ts';
import { storeManifest } from './manifest.ts';
import { claimRun, type Run } from './run.ts';
import { folderOf, isOnShare, targetFiles, targetName } from './target.ts';
import { removeLeftovers, tidyUp } from './tidy.ts';

export type BackupWork = Work & {
  /** A failure now ends the backup. */
  readonly isLastAttempt: boolean;
};

/** A failure that another attempt would meet too. */
class CannotGoOn extends Error {
  override readonly name = 'CannotGoOn';
}

// A message that finds another worker at it comes back for the case that this one is killed.
const HELD_AGAIN_SECONDS = 30;

/** Goes on with a backup for as long as there is time. The rest is left to the next message, which this sends. */
export async function workOnBackup(backupId: string, work: BackupWork): Promise<void> {
  const { logger, now, isLastAttempt } = work;
  const found = await backups.get(backupId);
  if (!found) return;
  if (found.state !== 'Running') return tidyUp(found, logger, now);
  const run = await claimRun(found, work).catch(ifThrown(RaceLost));
  if (!run) return sendAgain(backupId, HELD_AGAIN_SECONDS, now);
  try {
    requireSameSettings(found);
    const ended = await workOff(run);
    if (ended) await tidyUp(ended, logger, now);
  } catch (error) {
    if (error instanceof RaceLost) return leave(backupId);
    const isOver = isLastAttempt || error instanceof CannotGoOn || error instanceof NoExports;
    logger.warn(isOver ? 'A backup failed.' : 'A backup stopped, and is tried again.', { backupId, error });
    if (!isOver) {
      await run.save({ ...released }).catch(() => undefined);
      throw error;
    }
    const failed = await failBackup(run.record(), (error as Error).message, now());
    if (failed) await tidyUp(failed, logger, now);
  }
}

/** Another worker has it, or it was canceled: then a file that was stored since is deleted too. */
async function leave(backupId: string): Promise<void> {
  const found = await backups.get(backupId);
  if (found?.state === 'Canceled' || found?.state === 'Failed') await removeLeftovers(found);
}

function requireSameSettings({ target }: Backup): void {
  if (!settings['Backup:Enabled']) throw new CannotGoOn('Backup:Enabled was switched off.');
  if (target !== targetName())
    throw new CannotGoOn(`It began to write to ${target}, and Backup:Target is ${targetName()} now.`);
}

/** The backup when it has succeeded. Undefined where another message goes on. */
async function workOff(run: Run): Promise<Stored<Backup> | undefined> {
  const goOnLater = async (seconds: number): Promise<undefined> => {
    await run.save({ ...released });
    await sendAgain(run.id, seconds, run.now);
  };
  const exportArn = run.record().exportArn ?? (await beginExport(run.id));
  if (run.record().phase === 'Exporting') {
    await run.save({ exportArn });
    const exported = await followExport(exportArn);
    if (exported.status === 'FAILED') throw new CannotGoOn(exported.reason);
    if (exported.status === 'IN_PROGRESS') return goOnLater(nextLookSeconds(run));
    await run.save({ phase: 'Storing', cutAtMs: exported.exportedAtMs, items: exported.items });
  }
  if (!(await storeParts(run, exportArn))) return goOnLater(0);
  // The list of files takes as long as there are files: a message of its own has the time for it.
  const isNew = run.record().phase === 'Storing';
  await run.save({ phase: 'ListingFiles' });
  if (isNew && !run.hasTime()) return goOnLater(0);
  await listFiles(run);
  requireSameSettings(run.record());
  await storeManifest(run.record());
  return completeBackup(run.record(), run.now());
}

const MAX_LOOK_SECONDS = 60;

/** A small export takes seconds in one store and minutes in another. */
const nextLookSeconds = (run: Run): number =>
  Math.min(MAX_LOOK_SECONDS, 1 + Math.floor((run.now() - run.record().startedAtMs) / 4_000));

/** Stores the files of an export: copies them to the share, or measures them where they are. True when all are stored. */
async function storeParts(run: Run, exportArn: string): Promise<boolean> {
  const [from, to] = [files('batch'), await targetFiles()];
  const exported = await exportedFiles(run.id, exportArn);
  const before = run.record().parts;
  const left = exported.filter(({ name }) => !before.some((part) => part.name === name));
  for (const [n, { name, lines }] of left.entries()) {
    const { parts } = run.record();
    // One at least: the time may be too short for a large file.
    if (n > 0 && !run.hasTime()) return false;
    const stored = await run.whileRenewed(() => storeFile(from, to, `${folderOf(run.id)}${name}`));
    await run.save({ parts: [...parts, { name, kind: 'items', lines, ...stored }] });
  }
  return true;
}

async function storeFile(from: Files, to: Files, key: string): Promise<Pick<Part, 'bytes' | 'sha256'>> {
  const opened = await from.get(key);
  if (!opened) throw new Error(`The export has lost its file ${key}.`);
  if (!isOnShare()) return { bytes: opened.length, sha256: await sha256Of(opened.stream) };
  const { length, sha256 } = await to.put(key, opened.stream, { contentType: 'application/gzip' });
  return { bytes: length, sha256 };
}
