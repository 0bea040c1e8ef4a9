import { firstItems } from '../../../../../shared/store/cursor.ts';
import { settings } from '../../../settings.ts';
import { type Backup, backups, bytesOf, filesOf, lastBackup, newestBackups } from './backup.ts';
import { targetName } from './target.ts';

/** More than a retain count keeps, with those that failed. */
const MAX_LISTED = 200;

const timeOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

/** A backup as operators see it. */
export const renderBackup = (backup: Backup) => ({
  backupId: backup.id,
  state: backup.state,
  phase: backup.state === 'Running' ? backup.phase : null,
  startedAt: new Date(backup.startedAtMs).toISOString(),
  cutAt: timeOf(backup.cutAtMs),
  endedAt: timeOf(backup.endedAtMs),
  by: backup.by,
  instance: backup.instance,
  items: backup.items,
  parts: backup.parts.length,
  bytes: bytesOf(backup),
  files: filesOf(backup),
  message: backup.message,
});

/** The backup that runs, with its progress, and those that have ended, newest first. */
export async function listBackups() {
  const all = await firstItems(backups, newestBackups, MAX_LISTED);
  const running = all.find(({ state }) => state === 'Running');
  return {
    enabled: settings['Backup:Enabled'],
    target: targetName(),
    retainCount: settings['Backup:RetainCount'],
    running: running ? renderBackup(running) : null,
    items: all.filter(({ state }) => state !== 'Running').map(renderBackup),
  };
}

/** The gauges of the metrics: of the backup that succeeded last. Nothing is read where backups are switched off. */
export async function readBackupGauges() {
  const last = settings['Backup:Enabled'] ? await lastBackup.get(null) : undefined;
  return { lastSizeBytes: last?.bytes ?? 0, lastSuccessSeconds: Math.floor((last?.endedAtMs ?? 0) / 1_000) };
}

/**
 * The time since when there was no good backup: the end of the last one, or the start of the first that was tried. A record
 * of one that failed goes only after another one has succeeded. Undefined where none was tried, or backups are switched off.
 */
export async function withoutBackupSinceMs(): Promise<number | undefined> {
  if (!settings['Backup:Enabled']) return undefined;
  const last = await lastBackup.get(null);
  if (last) return last.endedAtMs;
  const [first] = await firstItems(backups, { ...newestBackups, newestFirst: false }, 1);
  return first?.startedAtMs;
}
