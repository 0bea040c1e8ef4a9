import { randomBytes } from 'node:crypto';
import { commit } from '../../../../../shared/store/commit.ts';
import { HEAD_START_MS } from '../../../../../shared/store/due/message.ts';
import type { Write } from '../../../../../shared/store/write.ts';
import { instanceName } from '../../../config/instance-name.ts';
import { errors } from '../../../errors.ts';
import { settings } from '../../../settings.ts';
import { type Backup, backupMessage, backups, runningBackup, sendAgain } from './backup.ts';
import { failBackup } from './end-backup.ts';
import { beginExport, NoExports } from './export.ts';
import { targetName } from './target.ts';

// 20261116-195005-3f9a1c: backups sort by their start.
const newId = (nowMs: number): string => {
  const [day = '', time = ''] = new Date(nowMs).toISOString().split('T');
  return `${day.replaceAll('-', '')}-${time.slice(0, 8).replaceAll(':', '')}-${randomBytes(3).toString('hex')}`;
};

// Long enough to cancel one that was begun by mistake; on AWS an export takes minutes.
const FIRST_LOOK_SECONDS = 5;

/**
 * Begins a backup. It goes on in the worker. Refused with backup.disabled, where the store has no exports too, or with
 * backup.already-running while there is one in the store, whichever instance began it.
 */
export async function startBackup(
  by: string | null,
  nowMs: number,
  also: readonly Write[] = [],
): Promise<Backup> {
  if (!settings['Backup:Enabled']) throw errors.refuse('backup.disabled');
  const id = newId(nowMs);
  const creating = backups.creating({
    id,
    state: 'Running',
    phase: 'Exporting',
    by,
    instance: instanceName(),
    target: targetName(),
    startedAtMs: nowMs,
    exportArn: null,
    cutAtMs: null,
    endedAtMs: null,
    touchedAtMs: nowMs,
    message: null,
    items: 0,
    parts: [],
    fileBytes: 0,
    isTidied: false,
  });
  const lock = runningBackup.creating({ backupId: id });
  await commit([
    { ...lock, refusal: () => errors.refuse('backup.already-running') },
    creating,
    backupMessage(id, nowMs + HEAD_START_MS),
    ...also,
  ]);
  // After another failure the worker tries again.
  const failure: unknown = await beginExport(id).catch((error: unknown) => error);
  if (failure instanceof NoExports) {
    await failBackup(creating.after, failure.message, nowMs);
    throw errors.refuse('backup.disabled');
  }
  await sendAgain(id, FIRST_LOOK_SECONDS, () => nowMs);
  return creating.after;
}
