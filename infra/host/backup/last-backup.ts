import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeText } from './copy.ts';

/** Says when the last backup of a data folder was taken, for the metrics of its host. */
const LAST_BACKUP = 'last-backup.json';

/** A backup is complete without it. */
export async function markBackup(dataDir: string, takenAt: string): Promise<void> {
  await writeText(join(dataDir, LAST_BACKUP), `${JSON.stringify({ takenAt })}\n`).catch(() => undefined);
}

/** Undefined before the first one. */
export function lastBackupMs(dataDir: string): number | undefined {
  try {
    const atMs = Date.parse(JSON.parse(readFileSync(join(dataDir, LAST_BACKUP), 'utf8')).takenAt);
    return Number.isNaN(atMs) ? undefined : atMs;
  } catch {
    return undefined;
  }
}
